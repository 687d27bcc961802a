package aidb.bridge;

import aidb.text.Failure;
import aidb.text.Obj;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
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
        boolean follows = arguments.flag("follows");
        try {
            Door door = new Door(follows ? new Followed(wire) : null);
            boolean begun = false;
            try {
                List<String> command = new ArrayList<>();
                command.add(arguments.text("java"));
                if (!arguments.text("records").isEmpty()) { // before the debugger, which is to see nothing of its start
                    command.add("-javaagent:" + arguments.text("recorder") + "=" + arguments.text("records"));
                }
                String agent = "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:" + door.port();
                if (follows) { // the program may have the agent once only, and hands on its environment
                    Obj env = arguments.object("env");
                    env.put("JAVA_TOOL_OPTIONS", (env.text("JAVA_TOOL_OPTIONS") + " " + agent).trim());
                    arguments.put("env", env);
                } else {
                    String more = arguments.text("agentOptions");
                    command.add(agent + (more.isEmpty() ? "" : "," + more));
                }
                command.addAll(arguments.texts("command"));
                start(wire, arguments, command, door.program());
                VirtualMachine vm = door.program().get(LAUNCH_SECONDS, TimeUnit.SECONDS);
                door.begun();
                begun = true;
                return vm;
            } finally {
                if (!begun) {
                    door.close();
                }
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Failure f ? f : new Failure("the program did not connect: %s", e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw new Failure("the program did not connect within %d seconds", LAUNCH_SECONDS);
        } catch (IOException e) {
            throw new Failure("no connection for the program: %s", e.getMessage());
        } catch (InterruptedException e) {
            throw new Failure("interrupted");
        }
    }

    private static void start(Wire wire, Obj arguments, List<String> command, CompletableFuture<VirtualMachine> connected)
            throws InterruptedException, ExecutionException, TimeoutException {
        Obj answer = wire.ask("runInTerminal", Obj.of("kind", "integrated", "title", "java", "cwd", arguments.text("cwd"),
            "args", command, "env", arguments.get("env"))).get(LAUNCH_SECONDS, TimeUnit.SECONDS);
        long pid = answer.id("processId");
        arguments.put("pid", pid);
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
