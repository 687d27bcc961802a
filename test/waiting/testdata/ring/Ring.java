public class Ring {
    static final Object A = new Object(), B = new Object();
    static final java.util.concurrent.CountDownLatch BOTH = new java.util.concurrent.CountDownLatch(2);
    static void take(Object first, Object second) {
        synchronized (first) {
            BOTH.countDown();
            try { BOTH.await(); } catch (InterruptedException e) { return; }
            synchronized (second) { System.out.println("both"); }
        }
    }
    public static void main(String[] args) throws Exception {
        new Thread(() -> take(A, B), "one").start();
        new Thread(() -> take(B, A), "two").start();
        Thread.sleep(3_600_000);
    }
}
