// Ledger TURNS: maps, strings and packed bytes in Java, on two threads.
import java.io.ByteArrayOutputStream;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

public class Ledger {
  static long turn(long number) {
    try {
      TreeMap<String, Long> amounts = new TreeMap<>();
      for (long i = 0; i < 4000; ++i) amounts.merge("account " + (i * 7919 + number) % 997, i, Long::sum);
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (DeflaterOutputStream stream = new DeflaterOutputStream(packed)) {
        stream.write(amounts.toString().getBytes());
      }
      CRC32 sum = new CRC32();
      sum.update(packed.toByteArray());
      return sum.getValue();
    } catch (java.io.IOException error) {
      throw new IllegalStateException(error);
    }
  }

  public static void main(String[] words) {
    System.out.println(LongStream.range(0, Long.parseLong(words[0])).parallel().map(Ledger::turn).sum());
  }
}
