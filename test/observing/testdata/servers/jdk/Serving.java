import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Answers over HTTP what an order costs, and counts what it was asked. */
public class Serving {
    static int served;
    static long sum;

    static int price(int number, int discount) {
        int result = number * 20 - discount;
        return result;
    }

    static void serve(HttpExchange asked) throws IOException {
        int number = Integer.parseInt(asked.getRequestURI().getQuery().substring("number=".length()));
        int total = price(number, number % 3);
        synchronized (Serving.class) {
            sum += total; // known
            served++; // served
        }
        answer(asked, Integer.toString(total));
    }

    static synchronized void count(HttpExchange asked) throws IOException {
        answer(asked, served + " " + sum);
    }

    static void answer(HttpExchange asked, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        asked.sendResponseHeaders(200, bytes.length);
        asked.getResponseBody().write(bytes);
        asked.close();
    }

    public static void main(String[] args) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
        server.createContext("/price", Serving::serve);
        server.createContext("/count", Serving::count);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.start();
    }
}
