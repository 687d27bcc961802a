package aidb.recorder;

import aidb.text.Json;
import aidb.text.Obj;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/** Lines of JSON to the other end of a socket, which nobody waits for. Only our own thread touches it. */
final class LiveLine implements Closeable {
    private static final int ROOM = 4 << 20; // bytes that wait
    private static final long PATIENCE = 2_000_000_000L; // ns for the last ones

    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocate(64);
    private ByteBuffer out = ByteBuffer.allocate(1 << 16);

    LiveLine(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
    }

    /** Whether the other end is there, and has not said that it is enough. */
    boolean open() {
        try {
            in.clear();
            return channel.read(in) == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether there is room for more. */
    boolean hasRoom() {
        return out.position() < ROOM;
    }

    void add(String json) {
        byte[] line = (json + "\n").getBytes(StandardCharsets.UTF_8);
        if (out.remaining() < line.length) {
            ByteBuffer more = ByteBuffer.allocate(Math.max(out.capacity() * 2, out.position() + line.length));
            more.put(out.flip());
            out = more;
        }
        out.put(line);
    }

    /** Writes what can be written at once. */
    void flush() throws IOException {
        out.flip();
        while (out.hasRemaining() && channel.write(out) > 0) {
            continue;
        }
        out.compact();
    }

    /** The last line. */
    void end(Obj last) {
        add(Json.print(last));
        long until = System.nanoTime() + PATIENCE;
        try {
            for (flush(); out.position() > 0 && System.nanoTime() < until; flush()) {
                LockSupport.parkNanos(1_000_000);
            }
        } catch (IOException e) {
            return; // nobody reads it
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
