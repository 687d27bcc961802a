package shop;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.net.InetSocketAddress;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** A shop whose server sums up what the query orders. */
public class Shop {
    private static final Map<String, Integer> PRICES = new TreeMap<>(Map.of("milk", 125, "rice", 250, "tea", 450));

    static int price(String item, int count) {
        int each = PRICES.get(item);
        int sum = each * count;
        return sum;
    }

    static void order(HttpServerExchange exchange) {
        Map<String, Deque<String>> query = exchange.getQueryParameters();
        int total = 0;
        for (Map.Entry<String, Deque<String>> entry : query.entrySet()) {
            total += price(entry.getKey(), Integer.parseInt(entry.getValue().getFirst()));
        }
        exchange.getResponseSender().send("total " + total + "\n");
    }

    public static void main(String[] args) {
        Undertow server = Undertow.builder()
            .addHttpListener(0, "127.0.0.1")
            .setHandler(new BlockingHandler(Shop::order))
            .build();
        server.start();
        InetSocketAddress address = (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        System.out.println("listening on 127.0.0.1:" + address.getPort());
    }
}
