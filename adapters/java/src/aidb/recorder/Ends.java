package aidb.recorder;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers writes of which the first and the last ones are enough, and lays the last ones into files that
 * are mapped into memory: that outlives the process, and needs no call of the system for each. What one
 * of the two holds of older events, when it is gone on with, lies right in front of those in the other.
 */
final class Ends {
    private static final int ALL = 8 << 20;
    private static final int FEW = 1 << 20;
    private static final int PLACES = 100_000; // that are counted

    private final long first;
    private final MappedByteBuffer[] tails = new MappedByteBuffer[2];
    private final int size;
    private final Map<String, long[]> numbers = new HashMap<>(); // by the places
    private int tail;
    private int at;
    private long count;

    /** It is asked before the program runs, whose threads may be interrupted. */
    Ends(File records, long first, boolean few) throws IOException {
        this.first = first;
        size = few ? FEW : ALL;
        for (int i = 0; i < 2; i++) {
            try (RandomAccessFile file = new RandomAccessFile(new File(records, "tail" + i), "rw")) {
                file.write(new byte[size]); // else a full disk would be a signal
                tails[i] = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, size);
            }
        }
    }

    /** Numbers a write; whoever asks has locked the notes. */
    void number(Notes.Event event, String place) {
        count++;
        long[] number = numbers.get(place);
        if (number == null && numbers.size() < PLACES) {
            numbers.put(place, number = new long[1]);
        }
        event.number("h", number == null ? 0 : ++number[0]).number("g", count).isLast = count > first;
    }

    /** Writes a line, whose length is less than there is room for. */
    void put(byte[] line) {
        if (at + line.length > size) {
            tail ^= 1;
            at = 0;
        }
        tails[tail].put(at, line);
        at += line.length;
    }
}
