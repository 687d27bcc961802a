package bridge;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Connects to the machine that runs the program. */
final class Launcher {
    private static final long LAUNCH_SECONDS = 25;
    private static final long ATTACH_SECONDS = 8;

    private Launcher() {}

    /** Has the client start the program, which then calls us. */
    static VirtualMachine launch(Wire wire, Obj arguments) {
        ListeningConnector connector = connector(Bootstrap.virtualMachineManager().listeningConnectors(), "com.sun.jdi.SocketListen");
        Map<String, Connector.Argument> listen = connector.defaultArguments();
        listen.get("localAddress").setValue("127.0.0.1");
        listen.get("port").setValue("");
        try {
            String address = connector.startListening(listen);
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            List<String> command = new ArrayList<>();
            command.add(arguments.text("java"));
            String more = arguments.text("agentOptions");
            command.add("-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:" + port + (more.isEmpty() ? "" : "," + more));
            command.addAll(arguments.texts("command"));
            CompletableFuture<VirtualMachine> connected = async(() -> accept(connector, listen, port));
            start(wire, arguments, command, connected);
            VirtualMachine vm = connected.get(LAUNCH_SECONDS, TimeUnit.SECONDS);
            connector.stopListening(listen);
            return vm;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Failure f ? f : new Failure("the program did not connect: %s", e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw new Failure("the program did not connect within %d seconds", LAUNCH_SECONDS);
        } catch (IOException | IllegalConnectorArgumentsException e) {
            throw new Failure("no connection for the program: %s", e.getMessage());
        } catch (InterruptedException e) {
            throw new Failure("interrupted");
        }
    }

    /** The program is the first that connects and is not another user's. */
    private static VirtualMachine accept(ListeningConnector connector, Map<String, Connector.Argument> listen, int port)
            throws IOException, IllegalConnectorArgumentsException {
        while (true) {
            VirtualMachine vm = connector.accept(listen);
            if (Peer.own(port)) {
                return vm;
            }
            vm.dispose();
        }
    }

    private static void start(Wire wire, Obj arguments, List<String> command, CompletableFuture<VirtualMachine> connected)
            throws InterruptedException, ExecutionException, TimeoutException {
        Obj answer = wire.ask("runInTerminal", Obj.of("kind", "integrated", "title", "java", "cwd", arguments.text("cwd"),
            "args", command, "env", arguments.get("env"))).get(LAUNCH_SECONDS, TimeUnit.SECONDS);
        long pid = answer.id("processId");
        ProcessHandle.of(pid).ifPresentOrElse(
            process -> process.onExit().thenRun(() -> connected.completeExceptionally(ended())),
            () -> CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> {
                if (pid != 0 && ProcessHandle.of(pid).isEmpty()) {
                    connected.completeExceptionally(ended());
                }
            }));
    }

    private static Failure ended() {
        return new Failure("the Java runtime ended before the program began");
    }

    static VirtualMachine attach(Obj arguments) {
        AttachingConnector connector = connector(Bootstrap.virtualMachineManager().attachingConnectors(), "com.sun.jdi.SocketAttach");
        Map<String, Connector.Argument> to = connector.defaultArguments();
        String where = arguments.text("host") + ":" + arguments.number("port");
        to.get("hostname").setValue(arguments.text("host"));
        to.get("port").setValue(String.valueOf(arguments.number("port")));
        try {
            return async(() -> connector.attach(to)).get(ATTACH_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new Failure("%s took the connection and said nothing: it is no Java debug port (JDWP), or another debugger is attached to it", where);
        } catch (InterruptedException e) {
            throw new Failure("interrupted");
        } catch (ExecutionException e) {
            throw refused(where, e.getCause());
        }
    }

    private static Failure refused(String where, Throwable cause) {
        if (cause instanceof UnknownHostException || cause instanceof IllegalConnectorArgumentsException) {
            return new Failure("there is no host %s", where.substring(0, where.lastIndexOf(':')));
        }
        if (cause instanceof ConnectException || cause instanceof NoRouteToHostException || cause instanceof SocketTimeoutException) {
            return new Failure("nothing listens at %s", where);
        }
        return new Failure("what listens at %s is no Java debug port (JDWP): %s", where, cause.getMessage());
    }

    private interface Connecting {
        VirtualMachine connect() throws Exception;
    }

    private static CompletableFuture<VirtualMachine> async(Connecting connecting) {
        CompletableFuture<VirtualMachine> result = new CompletableFuture<>();
        Machine.daemon(() -> {
            try {
                result.complete(connecting.connect());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        }).start();
        return result;
    }

    private static <T extends Connector> T connector(List<T> all, String name) {
        return all.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow(() -> new Failure("this JDK has no %s", name));
    }
}
