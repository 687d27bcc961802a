import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/** Programs that hang, one for each argument. A marked line is where the kernel waits or takes a lock. */
public class Hangs {
    static class Account {
        int balance = 10;
    }

    static void transfer(Account from, Account to, CyclicBarrier both) throws Exception {
        synchronized (from) { // @mark entered
            both.await();
            synchronized (to) { // @mark wanted
                to.balance += from.balance;
            }
        }
    }

    /** Each of two transfers has one account and waits for the other. */
    static void crossed() throws Exception {
        Account a = new Account(), b = new Account();
        CyclicBarrier both = new CyclicBarrier(2);
        Thread there = start("there", () -> transfer(a, b, both));
        start("back", () -> transfer(b, a, both));
        there.join(); // @mark joins
    }

    /** A worker waits for a lock that main holds while it waits for the worker. */
    static void reentrant() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch held = new CountDownLatch(1);
        Thread worker = start("worker", () -> {
            held.await();
            lock.lock(); // @mark worker-locks
            lock.unlock();
        });
        lock.lock(); // @mark main-locks
        held.countDown();
        worker.join(); // @mark main-joins
    }

    /** Nobody completes the future. */
    static void future() throws Exception {
        CompletableFuture<String> reply = new CompletableFuture<>();
        System.out.println(reply.get()); // @mark gets
    }

    /** A thread waits for its own end. */
    static void itself() throws Exception {
        Thread.currentThread().join(); // @mark joins-itself
    }

    /** The permits are taken and never given back. */
    static void permits() throws Exception {
        Semaphore places = new Semaphore(2);
        for (int n = 0; n < 3; n++) {
            places.acquire(); // @mark takes-a-place
        }
    }

    /** Nobody puts anything into the queue any more. */
    static void queue() throws Exception {
        LinkedBlockingQueue<String> jobs = new LinkedBlockingQueue<>();
        System.out.println(jobs.take()); // @mark takes
    }

    /** A virtual thread waits for a monitor that main has while it waits for the thread. */
    static void virtual() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        lock.lock(); // @mark keeps
        Thread one = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) () -> {
            lock.lock(); // @mark virtual-locks
            lock.unlock();
        });
        one.join(); // @mark joins-virtual
    }

    interface Work {
        void run() throws Exception;
    }

    static Thread start(String name, Work work) {
        Thread t = new Thread(() -> {
            try {
                work.run();
            } catch (Exception e) {
                throw new RuntimeException(e);
            }
        }, name);
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        Hangs.class.getDeclaredMethod(args[0]).invoke(null);
        System.out.println("came to an end");
    }
}
