import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Somebody's production: two threads do some work 500 times a second each, and a
 * server answers each line with how far they are.
 */
public class Attached {
    static volatile long counter;
    static final AtomicLongArray counts = new AtomicLongArray(2);

    static long work(long n) {
        counter = n + 1; //@mark hot
        return n + 1;
    }

    static void risk(long n) {
        if (n % 50 == 0) {
            throw new IllegalStateException("thrown at " + n);
        }
    }

    static void count(int i) {
        for (long n = 0;;) {
            n = work(n);
            try {
                risk(n);
            } catch (IllegalStateException expected) {
                // as it often happens
            }
            counts.set(i, n);
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    static void answer(Socket socket) {
        try (socket) {
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            for (String line; (line = in.readLine()) != null;) {
                socket.getOutputStream().write((line + " " + counts.get(0) + " " + counts.get(1) + "\n").getBytes());
            }
        } catch (Exception e) {
            e.printStackTrace();
        }
    }

    public static void main(String[] args) throws Exception {
        var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        for (int i = 0; i < counts.length(); i++) {
            int which = i;
            new Thread(() -> count(which), "count-" + i).start();
        }
        System.out.println("port " + server.getLocalPort());
        for (;;) {
            var socket = server.accept();
            new Thread(() -> answer(socket), "answer").start();
        }
    }
}
