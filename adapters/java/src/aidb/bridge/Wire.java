package aidb.bridge;

import aidb.text.Failure;
import aidb.text.Json;
import aidb.text.Obj;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The protocol's framing. Any thread may send; one thread reads. */
final class Wire {
    private final InputStream in;
    private final OutputStream out;
    private final Map<Long, CompletableFuture<Obj>> asked = new ConcurrentHashMap<>();
    private long seq;

    Wire(InputStream in, OutputStream out) {
        this.in = new BufferedInputStream(in);
        this.out = out;
    }

    /** The next request; null at the end. Replies to our own requests are kept from the caller. */
    Obj read() throws IOException {
        while (true) {
            int length = header();
            if (length < 0) {
                return null;
            }
            Obj message = (Obj) Json.parse(new String(in.readNBytes(length), StandardCharsets.UTF_8));
            if (!message.text("type").equals("response")) {
                return message;
            }
            CompletableFuture<Obj> answer = asked.remove(message.id("request_seq"));
            if (answer == null) {
                continue;
            }
            if (message.flag("success")) {
                answer.complete(message.object("body"));
            } else {
                answer.completeExceptionally(new Failure(message.text("message")));
            }
        }
    }

    private int header() throws IOException {
        int length = -1;
        while (true) {
            String line = line();
            if (line == null) {
                return -1;
            }
            if (line.isEmpty() && length >= 0) {
                return length;
            }
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(line.substring(15).trim());
            }
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return null;
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    void reply(Obj request, Obj body) {
        send(Obj.of("type", "response", "request_seq", request.id("seq"), "command", request.text("command"), "success", true, "body", body));
    }

    void refuse(Obj request, String why) {
        send(Obj.of("type", "response", "request_seq", request.id("seq"), "command", request.text("command"), "success", false, "message", why));
    }

    void event(String name, Obj body) {
        send(Obj.of("type", "event", "event", name, "body", body));
    }

    /** Sends a request of our own. */
    synchronized CompletableFuture<Obj> ask(String command, Obj arguments) {
        CompletableFuture<Obj> answer = new CompletableFuture<>();
        asked.put(seq + 1, answer);
        send(Obj.of("type", "request", "command", command, "arguments", arguments));
        return answer;
    }

    /** Header and body leave in one write, so that they arrive in one packet. */
    private synchronized void send(Obj message) {
        message.put("seq", ++seq);
        byte[] body = Json.print(message).getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream whole = new ByteArrayOutputStream(body.length + 32);
        whole.writeBytes(("Content-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        whole.writeBytes(body);
        try {
            whole.writeTo(out);
            out.flush();
        } catch (IOException e) {
            Runtime.getRuntime().halt(1); // nobody listens any more
        }
    }
}
