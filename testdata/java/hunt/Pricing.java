import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A quote service that remembers prices: some customers pay what others should. */
public class Pricing {
    enum Tier { BASIC, GOLD }

    record Customer(String name, Tier tier) {}

    record Item(String sku, int cents) {}

    static class Catalogue {
        private final Map<String, Item> items = new HashMap<>();

        void add(String sku, int cents) {
            items.put(sku, new Item(sku, cents));
        }

        Item find(String sku) {
            Item item = items.get(sku);
            if (item == null) {
                throw new IllegalArgumentException("no item " + sku);
            }
            return item;
        }
    }

    static class Discounts {
        int percent(Customer customer, int quantity) {
            int base = customer.tier() == Tier.GOLD ? 20 : 0;
            return quantity >= 10 ? base + 5 : base;
        }
    }

    /** Prices that were worked out before. */
    static class Cache {
        private final Map<String, Integer> prices = new HashMap<>();
        private int asked;

        Integer get(String key) {
            asked++;
            return prices.get(key);
        }

        void put(String key, int cents) {
            prices.put(key, cents); //@mark stored
        }
    }

    static class Quotes {
        private final Catalogue catalogue;
        private final Discounts discounts = new Discounts();
        private final Cache cache = new Cache();

        Quotes(Catalogue catalogue) {
            this.catalogue = catalogue;
        }

        int price(Customer customer, String sku, int quantity) {
            String key = sku + "/" + quantity; //@mark key
            Integer known = cache.get(key);
            if (known != null) {
                return known; //@mark known
            }
            Item item = catalogue.find(sku);
            int percent = discounts.percent(customer, quantity);
            int cents = item.cents() * quantity * (100 - percent) / 100; //@mark computed
            cache.put(key, cents); //@mark put
            return cents;
        }
    }

    static class Order {
        final Customer customer;
        final List<String> lines = new ArrayList<>();
        int total;

        Order(Customer customer) {
            this.customer = customer;
        }

        void add(Quotes quotes, String sku, int quantity) {
            int cents = quotes.price(customer, sku, quantity); //@mark asked
            lines.add(quantity + " " + sku + ": " + cents);
            total += cents; //@mark total
        }
    }

    public static void main(String[] args) {
        Catalogue catalogue = new Catalogue();
        for (int i = 0; i < 20; i++) {
            catalogue.add("sku" + i, 100 + i * 10);
        }
        Quotes quotes = new Quotes(catalogue);
        Order gold = new Order(new Customer("gil", Tier.GOLD));
        Order basic = new Order(new Customer("bea", Tier.BASIC));
        for (int i = 0; i < 10; i++) {
            gold.add(quotes, "sku" + i, 2);
        }
        basic.add(quotes, "sku15", 1);
        basic.add(quotes, "sku3", 2);
        int owed = basic.total;
        if (owed != 250 + 260) {
            throw new IllegalStateException("bea owes " + owed); //@mark owed
        }
    }
}
