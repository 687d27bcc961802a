package aidb.bridge;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where a program calls that is being started. The program is the first caller that is not another
 * user's and speaks as a virtual machine does. Another user is turned away at once; who else says
 * nothing is heard beside the others, and is turned away when the door is closed.
 */
final class Door implements AutoCloseable {
    private static final int WAITING = 50; // callers at once that are not looked at yet

    private final ServerSocket listener = new ServerSocket(0, WAITING, InetAddress.getByName("127.0.0.1"));
    private final Set<Socket> callers = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<VirtualMachine> program = new CompletableFuture<>();
    private final Followed followed; // null: nobody but the program is let in

    Door(Followed followed) throws IOException {
        this.followed = followed;
        Machine.daemon(this::open).start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The program, when it has called. */
    CompletableFuture<VirtualMachine> program() {
        return program;
    }

    private void open() {
        try {
            while (true) {
                Socket caller = listener.accept();
                if (!Peer.own(caller)) {
                    caller.close();
                    continue;
                }
                if (followed != null && program.isDone()) {
                    Machine.daemon(() -> follow(caller)).start();
                    continue;
                }
                callers.add(caller);
                Machine.daemon(() -> hear(caller)).start();
            }
        } catch (IOException e) {
            program.completeExceptionally(e); // or the door is closed, and nobody asks any more
        }
    }

    private void hear(Socket caller) {
        try {
            VirtualMachine vm = Bootstrap.virtualMachineManager().createVirtualMachine(new Line(caller));
            callers.remove(caller);
            if (program.complete(vm)) {
                return;
            }
        } catch (IOException | RuntimeException e) {
            callers.remove(caller); // it was not the program, or the program ends
        }
        shut(caller);
    }

    private void follow(Socket caller) {
        try {
            followed.take(caller);
        } catch (IOException | RuntimeException e) {
            shut(caller);
        }
    }

    /** The program is in: turns away who has not spoken, and lets nobody else in who is not to be followed. */
    void begun() throws IOException {
        if (followed == null) {
            listener.close();
        }
        callers.forEach(Door::shut);
    }

    /** Lets nobody else in, and turns away who has not spoken. */
    @Override
    public void close() throws IOException {
        listener.close();
        callers.forEach(Door::shut);
    }

    private static void shut(Socket caller) {
        try {
            caller.close();
        } catch (IOException e) {
            // then it is closed
        }
    }
}
