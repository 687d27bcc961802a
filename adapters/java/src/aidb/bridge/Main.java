package aidb.bridge;

import aidb.text.Obj;
import java.io.IOException;
import java.io.OutputStream;

/** A debug adapter for Java on the JDK's own debug interface, on standard input and output. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws IOException {
        OutputStream out = System.out;
        System.setOut(System.err); // whatever else prints must stay out of the protocol
        Wire wire = new Wire(System.in, out);
        Server server = new Server(wire);
        for (Obj request = wire.read(); request != null; request = wire.read()) {
            server.accept(request);
        }
        server.abandon();
        Runtime.getRuntime().halt(0);
    }
}
