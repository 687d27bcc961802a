import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that pass and leave something running, and tests that do not. */
class LeavingTest {
    private static ExecutorService shared;
    private static final List<Object> KEPT = new java.util.ArrayList<>();

    @BeforeAll
    static void begin() {
        shared = Executors.newSingleThreadExecutor();
        shared.submit(() -> {});
    }

    @AfterAll
    static void end() {
        shared.shutdown();
    }

    @Test
    void executorNotShut() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.submit(() -> 1).get(); // @mark submit
    }

    @Test
    void timer() {
        new Timer().schedule(new TimerTask() { // @mark timer
            @Override
            public void run() {}
        }, 3_600_000);
    }

    static void consume(BlockingQueue<String> jobs) {
        try {
            while (!jobs.take().isEmpty()) {} // @mark take
        } catch (InterruptedException e) {
            // it ends
        }
    }

    @Test
    void threadOnQueue() {
        BlockingQueue<String> jobs = new ArrayBlockingQueue<>(1);
        Thread t = new Thread(() -> consume(jobs), "consumer"); // @mark consumer
        t.setDaemon(true);
        t.start();
    }

    @Test
    void latch() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(3), never = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            new Thread(() -> { // @mark waiter
                begun.countDown();
                try {
                    never.await(); // @mark never
                } catch (InterruptedException e) {
                    // it ends
                }
            }).start();
        }
        begun.await();
    }

    @Test
    void process() throws IOException {
        KEPT.add(new ProcessBuilder("sleep", "60").start());
    }

    @Test
    void cleanExecutor() throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        assertEquals(1, pool.submit(() -> 1).get());
        pool.shutdown();
        assertTrue(pool.awaitTermination(5, TimeUnit.SECONDS));
    }

    @Test
    void cleanCommonPool() {
        assertEquals(3, CompletableFuture.supplyAsync(() -> 3).orTimeout(1, TimeUnit.MINUTES).join());
        assertEquals(6, List.of(1, 2, 3).parallelStream().mapToInt(n -> n).sum());
    }

    @Test
    void cleanSettles() {
        new Thread(() -> {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                // it ends
            }
        }).start();
    }

    @Test
    void cleanProcess() throws Exception {
        assertEquals(0, new ProcessBuilder("true").start().waitFor());
    }
}
