# Strings, big numbers, threads, a fork and the collector, asked often.
require 'digest'

GC.stress = true
small = Array.new(200) { |i| (i.to_s * 40).reverse }
GC.stress = false
words = Hash.new(0)
300_000.times { |i| words["word#{i % 5000}"] += i }
threads = Array.new(4) { |t| Thread.new { (1..1500).reduce(:*).to_s.size + t } }
child = IO.popen('-') { |pipe| pipe ? pipe.read : puts((1..400).reduce(:*)) }
GC.compact if GC.respond_to?(:compact)
puts Digest::SHA256.hexdigest(small.join + words.inspect + child)
puts threads.map(&:value).inspect
