package aidb.recorder;

import aidb.text.Json;
import aidb.text.Obj;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Notes more than there is room for while nobody reads, and prints what comes to who reads then. */
public final class Newest {
    private static final int MADE = 50_000;

    private Newest() {}

    private static void note(LiveRows rows, int place) {
        for (int i = 0; i < MADE; i++) {
            rows.accept(place, new Object[] {'w', null, i, i + 1});
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Site site = new Site();
        site.method = new Site.Method();
        site.method.file = "a";
        site.method.function = "f";
        LiveRows rows = new LiveRows(Obj.of("condition", ""), null);
        note(rows, Sites.add(site));
        UnixDomainSocketAddress at = UnixDomainSocketAddress.of(Path.of(args[0]));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(at);
            SocketChannel near = SocketChannel.open(at);
            Thread reader = new Thread(() -> read(server));
            reader.start();
            try (LiveLine line = new LiveLine(near)) {
                rows.send(line, true);
                Obj state = new Obj();
                rows.state(state);
                line.end(state);
            }
            reader.join();
        }
    }

    private static void read(ServerSocketChannel server) {
        int count = 0;
        long first = 0;
        long last = 0;
        try (InputStream in = Channels.newInputStream(server.accept())) {
            // All of it at once: who sends waits for two seconds only, and a busy machine takes longer to read rows.
            String[] lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n");
            for (String line : lines) {
                Obj o = (Obj) Json.parse(line);
                if (o.get("n") == null) {
                    System.out.println(count + " rows, " + first + " to " + last + ", dropped " + o.get("dropped") + ", hits " + o.get("hits"));
                    continue;
                }
                last = ((Number) o.get("n")).longValue();
                first = count++ == 0 ? last : first;
            }
        } catch (IOException e) {
            System.out.println(e);
        }
    }
}
