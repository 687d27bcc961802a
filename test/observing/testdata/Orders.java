import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Serves orders in several threads, counts what it does, and tells that, and what its class is, when it is asked. */
public class Orders {
    static final AtomicLong CALLS = new AtomicLong();
    static final AtomicLong SUM = new AtomicLong();
    static volatile long pause; // ns
    static volatile boolean asked; // to stop
    static Instrumentation by;

    int served;

    static int price(int number, String customer) {
        CALLS.incrementAndGet();
        int price = number * 3;
        if (number % 10 == 7) {
            throw new IllegalArgumentException("no order " + number);
        }
        SUM.addAndGet(price);
        return price;
    }

    void serve(int number) {
        try {
            price(number, "c" + number);
            served += 1;
        } catch (IllegalArgumentException e) {
            served += 0;
        }
    }

    public static void premain(String none, Instrumentation with) {
        by = with;
    }

    /** Comes later than what was put in before, and so sees it. */
    public static void agentmain(String none, Instrumentation with) {
        by = with;
    }

    private static void work(int nap) {
        Orders mine = new Orders();
        for (int i = 0; ; i++) {
            mine.serve(i);
            if (nap > 0) {
                LockSupport.parkNanos(nap * 1000L);
            }
        }
    }

    private static void watch() {
        for (long last = System.nanoTime(); ; ) {
            LockSupport.parkNanos(200_000);
            long now = System.nanoTime();
            pause = Math.max(pause, now - last);
            last = now;
        }
    }

    private static Thread begin(String name, Runnable what) throws Exception {
        if (name.startsWith("virtual") && Runtime.version().feature() >= 21) {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, what);
        }
        Thread t = new Thread(what, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    /** Writes down the class as a transformer sees it that comes after all others. */
    private static String looks() throws Exception {
        ClassFileTransformer last = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
                if (redefined == Orders.class) {
                    try {
                        Files.write(Path.of("seen.class"), bytes);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                return null;
            }
        };
        by.addTransformer(last, true);
        by.retransformClasses(Orders.class);
        by.removeTransformer(last);
        return "seen.class";
    }

    public static void main(String[] args) throws Exception {
        int nap = Integer.parseInt(args[0]);
        begin("clock", Orders::watch);
        begin("worker-1", () -> work(nap));
        begin("virtual-2", () -> work(nap));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            asked = line.equals("stop");
            System.out.println(line.equals("class") ? looks() : CALLS.get() + " " + pause / 1000);
            pause = line.equals("count") ? 0 : pause;
        }
    }
}
