package aidb.recorder;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Counts how often the condition is judged, in a file that is mapped: no end of the process loses a count. */
final class Judgements {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer counts;

    Judgements(File dir) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(new File(dir, "judged"), "rw")) {
            counts = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 32);
        }
        LONGS.setVolatile(counts, 16, 1L); // the file is the count itself
    }

    /** The number of the judgement that is made now. */
    long next() {
        return (long) LONGS.getAndAdd(counts, 0, 1L) + 1;
    }

    /** How many instances were built until now. */
    void instances(long number) {
        LONGS.setVolatile(counts, 24, number);
    }

    /** It had no value. */
    void failed() {
        LONGS.getAndAdd(counts, 8, 1L);
    }
}
