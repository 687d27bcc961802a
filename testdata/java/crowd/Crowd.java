import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Crowd has several threads at the same line at the same time. */
public class Crowd {
    static final AtomicInteger hits = new AtomicInteger();

    static int forever(int n) {
        while (true) {
            n++;
        }
    }

    static void work(int i) {
        hits.incrementAndGet(); //@mark work
    }

    public static void main(String[] args) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 40; i++) {
            int n = i;
            pool.submit(() -> work(n));
        }
        pool.shutdown();
        pool.awaitTermination(60, TimeUnit.SECONDS);
        System.out.println("hits " + hits);
    }
}
