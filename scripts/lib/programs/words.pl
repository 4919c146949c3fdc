# Hashes, sorting, regular expressions, and children.
use strict;
use warnings;
my %count;
my $text = join ' ', map { my $n = $_ * 7919 % 10007; "w$n" } 1 .. 300_000;
$count{$1}++ while $text =~ /(w\d+)/g;
my @top = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
print scalar(@top), " @top[0..9]\n";
(my $swapped = $text) =~ s/w(\d)(\d*)/$2w$1/g;
print length($swapped), ' ', unpack('%32C*', $swapped), "\n";
for my $child (1 .. 8) {
  my $pid = fork // die "fork: $!";
  exit(length(join ',', map { $_ x $child } 1 .. 20_000) % 251) if $pid == 0;
  waitpid $pid, 0;
  print $? >> 8, "\n";
}
