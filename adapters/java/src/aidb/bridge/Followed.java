package aidb.bridge;

import aidb.text.Failure;
import aidb.text.Obj;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.VMDisconnectedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The virtual machines that the program starts, which call at the same door and wait there. Each is given
 * a bridge of its own, for which the client is asked, and to which its words are passed on. One that
 * nobody comes for goes on without.
 */
final class Followed {
    private static final int MOST = 8; // at once: each bridge is a virtual machine, too
    private static final int JOIN_SECONDS = 20;
    private static final int BLOCK = 16 << 10;

    private final Wire wire;
    private final Semaphore places = new Semaphore(MOST);

    Followed(Wire wire) {
        this.wire = wire;
    }

    /** Has one followed until it ends. */
    void take(Socket caller) throws IOException {
        long pid = Peer.process(caller);
        if (!places.tryAcquire()) {
            wire.ask("startDebugging", Obj.of("request", "attach", "configuration", Obj.of("pid", pid, "refused",
                "more than " + MOST + " child processes at once are not followed")));
            letGo(caller);
            return;
        }
        try (Socket debugger = join(pid)) {
            if (debugger == null) {
                letGo(caller);
                return;
            }
            Thread back = Machine.daemon(() -> pass(debugger, caller));
            back.start();
            pass(caller, debugger);
        } finally {
            places.release();
            caller.close();
        }
    }

    /** Asks for a bridge, and waits until it calls; null if none does. */
    private Socket join(long pid) throws IOException {
        try (ServerSocket here = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            here.setSoTimeout((int) TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
            wire.ask("startDebugging", Obj.of("request", "attach", "configuration", Obj.of("pid", pid, "port", here.getLocalPort())))
                .get(JOIN_SECONDS, TimeUnit.SECONDS);
            Socket debugger = here.accept();
            if (Peer.own(debugger)) {
                return debugger;
            }
            debugger.close();
        } catch (ExecutionException | TimeoutException | java.net.SocketTimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    /** Resumes one that stands at its start, undebugged. */
    private static void letGo(Socket caller) throws IOException {
        try {
            Bootstrap.virtualMachineManager().createVirtualMachine(new Line(caller)).dispose();
        } catch (VMDisconnectedException | Failure e) {
            // it has ended
        }
    }

    /** Passes on what one says to the other until either hangs up, and hangs up then. */
    private static void pass(Socket from, Socket to) {
        byte[] block = new byte[BLOCK];
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(block); n >= 0; n = in.read(block)) {
                out.write(block, 0, n);
            }
        } catch (IOException e) {
            // the other one has hung up
        }
    }
}
