import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** A program for each way to fail: the argument says which. */
public class Faulty {
    record Address(String city, int number) {
        @Override public String toString() { return "Address " + city; }
    }

    static class Customer {
        final String name;
        Address address;
        Customer(String name, Address address) { this.name = name; this.address = address; }
        Address getAddress() { return address; }
    }

    static class Order {
        final int id;
        Customer customer;
        int[] prices = {10, 20, 30};
        Order(int id, Customer customer) { this.id = id; this.customer = customer; }
        Customer getCustomer() { return customer; }
    }

    private final Map<String, Integer> stock = new HashMap<>(Map.of("tea", 3));
    private final Map<String, Order> orders = new HashMap<>();

    static String cityOf(Order order, boolean upper) {
        int noise = 17;
        String label = "to ";
        String city = label + order.customer.address.city().trim(); //@mark member
        return upper ? city.toUpperCase() : city + noise;
    }

    Order find(String id) {
        return orders.get(id);
    }

    int numberOf(String id) {
        return find(id).getCustomer().getAddress().number(); //@mark result
    }

    static int nth(int[] values, int from, int n) {
        int unrelated = 1;
        int twice = values[from + n] * 2; //@mark index
        return twice + unrelated;
    }

    static String second(List<String> names, int at) {
        return names.get(at + 1).trim(); //@mark list
    }

    static char letter(String word, int at) {
        return word.charAt(at); //@mark char
    }

    int left(String item) {
        int had = stock.get(item); //@mark key
        return had - 1;
    }

    static String next(Iterator<String> names) {
        names.next();
        return names.next(); //@mark element
    }

    static int share(int total, int people) {
        int rest = total % 7;
        return rest + total / people; //@mark zero
    }

    static void check(int age) {
        if (age < 0) {
            throw new IllegalArgumentException("an age of " + age + " cannot be"); //@mark thrown
        }
    }

    static void load(String file) {
        try {
            check(-4);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("cannot load " + file, e); //@mark cause
        }
    }

    static Object cast(Object value) {
        return (Integer) value; //@mark cast
    }

    static int parsed(String text) {
        return Integer.parseInt(text.trim()) + 1; //@mark parse
    }

    static String optional(Optional<String> name) {
        return name.get().trim(); //@mark optional
    }

    static int lengths(List<String> names) {
        return names.stream()
            .filter(Objects::nonNull)
            .map(n -> n.isEmpty() ? null : n)
            .mapToInt(n -> n.length()) //@mark lambda
            .sum();
    }

    static String ternary(Order order, boolean wanted) {
        return wanted
            ? order.customer.name //@mark ternary
            : "nobody";
    }

    static long depth(long n, long sum) {
        return n < 0 ? sum : depth(n + 1, sum + n) + 1; //@mark deep
    }

    static int collatz(int n) {
        int steps = 0;
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : n + 2; //@mark busy
            steps++;
            if (n > 60) n = 3;
        }
        return steps;
    }

    static final Object FIRST = new Object(), SECOND = new Object();

    static void both(Object a, Object b) {
        synchronized (a) {
            try { Thread.sleep(200); } catch (InterruptedException e) { return; }
            synchronized (b) { //@mark lock
                System.out.println("both"); //@mark lock-in
            }
        }
    }

    static void deadlock() throws InterruptedException {
        Thread t = new Thread(() -> both(FIRST, SECOND), "other");
        t.start();
        both(SECOND, FIRST);
        t.join();
    }

    static void blocked() throws InterruptedException {
        Thread.sleep(600_000); //@mark blocked
    }

    static void latched() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        latch.await(); //@mark latched
    }

    static void asked() throws java.io.IOException {
        System.out.print("how many? ");
        System.out.flush();
        System.out.println(System.in.read()); //@mark input
    }

    static List<long[]> hoard() {
        List<long[]> kept = new ArrayList<>();
        while (true) {
            kept.add(new long[200_000_000]); //@mark memory
        }
    }

    static void inThread() throws InterruptedException {
        Order order = new Order(8, null);
        Thread t = new Thread(() -> {
            String who = order.customer.name; //@mark thread
            System.out.println(who);
        }, "worker");
        t.start();
        t.join();
    }

    static void caught() {
        try {
            check(-4);
        } catch (IllegalArgumentException e) {
            System.err.println("cannot settle: " + e.getMessage());
            System.exit(4); //@mark caught
        }
    }

    static void network() throws java.io.IOException {
        try (java.net.ServerSocket server = new java.net.ServerSocket(0)) {
            server.accept(); //@mark network
        }
    }

    static void task() {
        Order order = new Order(8, null);
        java.util.concurrent.CompletableFuture.supplyAsync(() -> order.customer.name).join(); //@mark task
    }

    static void sometimes() throws java.io.IOException {
        java.nio.file.Path file = java.nio.file.Path.of("runs.txt");
        int n = java.nio.file.Files.exists(file) ? Integer.parseInt(java.nio.file.Files.readString(file)) : 0;
        java.nio.file.Files.writeString(file, "" + (n + 1));
        if (n == 2) throw new IllegalStateException("the third run"); //@mark flaky
    }

    public static void main(String[] args) throws Exception {
        String how = args.length > 0 ? args[0] : "ok";
        System.out.println("begin " + how);
        Faulty shop = new Faulty();
        Order order = new Order(7, new Customer("Nobody", null));
        switch (how) {
            case "member" -> System.out.println(cityOf(order, true));
            case "result" -> System.out.println(shop.numberOf("o1"));
            case "index" -> System.out.println(nth(order.prices, 2, 3));
            case "list" -> System.out.println(second(List.of("a", "b"), 4));
            case "char" -> System.out.println(letter("abc", 5));
            case "key" -> System.out.println(shop.left("honey"));
            case "element" -> System.out.println(next(List.of("a").iterator()));
            case "zero" -> System.out.println(share(100, args.length - 1));
            case "throw" -> check(-4);
            case "cause" -> load("shop.txt");
            case "cast" -> System.out.println(cast("text"));
            case "parse" -> System.out.println(parsed(" 12x "));
            case "optional" -> System.out.println(optional(Optional.empty()));
            case "lambda" -> System.out.println(lengths(Arrays.asList("a", "", null)));
            case "ternary" -> System.out.println(ternary(new Order(8, null), true));
            case "deep" -> System.out.println(depth(0, 0));
            case "busy" -> System.out.println(collatz(27));
            case "deadlock" -> deadlock();
            case "blocked" -> blocked();
            case "latched" -> latched();
            case "input" -> asked();
            case "memory" -> System.out.println(hoard().size());
            case "thread" -> inThread();
            case "caught" -> caught();
            case "network" -> network();
            case "task" -> task();
            case "sometimes" -> sometimes();
            case "missing" -> throw new NoSuchElementException("no order 9"); //@mark missing
            case "exit" -> { System.err.println("no such file: shop.txt"); System.exit(3); }
            default -> System.out.println("end " + List.of(1, 2).stream().map(n -> n + 1).collect(Collectors.toList()));
        }
    }
}
