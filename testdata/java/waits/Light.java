import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads that hang: one wants a lock that main holds while it waits for that one's end, one takes what nobody puts. */
public class Light {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        LinkedBlockingQueue<String> jobs = new LinkedBlockingQueue<>();
        CountDownLatch held = new CountDownLatch(1);
        Thread.ofVirtual().name("taker").start(() -> take(jobs));
        Thread worker = Thread.ofVirtual().name("worker").start(() -> work(lock, held));
        lock.lock(); // @mark light-main-locks
        held.countDown();
        worker.join(); // @mark light-main-joins
    }

    static void work(ReentrantLock lock, CountDownLatch held) {
        try {
            held.await();
        } catch (InterruptedException e) {
            return;
        }
        lock.lock(); // @mark light-worker-locks
        lock.unlock();
    }

    static void take(LinkedBlockingQueue<String> jobs) {
        try {
            System.out.println(jobs.take()); // @mark light-takes
        } catch (InterruptedException e) {
            return;
        }
    }
}
