import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Works in two ways, keeps more and more, and writes down how much it computed: "hot NANOS cold NANOS kept ARRAYS". */
public class Busy {
    static final List<byte[]> KEPT = new ArrayList<>();
    static final Object LOCK = new Object();
    static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean(); // no other program's time is in it
    static long sum;

    static void hot() {
        for (int i = 0; i < 3_000_000; i++) {
            sum += i ^ sum << 1;
        }
    }

    static void cold() {
        for (int i = 0; i < 1_000_000; i++) {
            sum += i ^ sum << 1;
        }
    }

    static void keep() {
        KEPT.add(new byte[200_000]);
    }

    public static void main(String[] args) throws IOException {
        Thread waiter = new Thread(() -> {
            synchronized (LOCK) {
                System.out.println("nobody gives it back");
            }
        }, "waiter");
        waiter.setDaemon(true);
        synchronized (LOCK) {
            waiter.start();
            long hot = 0;
            long cold = 0;
            int rounds = 0;
            for (long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L; System.nanoTime() < end; ) {
                long a = CLOCK.getCurrentThreadCpuTime();
                hot();
                long b = CLOCK.getCurrentThreadCpuTime();
                cold();
                cold += CLOCK.getCurrentThreadCpuTime() - b;
                hot += b - a;
                if (++rounds % 8 == 0 && KEPT.size() < 2_000) {
                    keep();
                }
            }
            Files.writeString(Path.of(args[1]), "hot " + hot + " cold " + cold + " kept " + KEPT.size());
            System.exit(0);
        }
    }
}
