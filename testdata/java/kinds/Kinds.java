import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Kinds has a local of each kind of value that the debugger knows. */
public class Kinds {
    enum Color { RED, GREEN { @Override String word() { return "go"; } }; String word() { return "stop"; } }

    record Point(int x, int y) {}

    static class Account {
        private final String owner;
        private long balance;

        Account(String owner, long balance) {
            this.owner = owner;
            this.balance = balance;
        }

        void pay(long amount) {
            balance += amount; //@mark pay
        }

        static String join(String first, Object... rest) {
            return first + Arrays.toString(rest);
        }

        int over(int n) { return 1; }
        int over(long n) { return 2; }
        int over(Integer n) { return 3; }
        int over(Object n) { return 4; }
    }

    class Inner {
        int plus(int n) {
            return n + base; //@mark inner
        }
    }

    int base = 40;

    public static void main(String[] args) {
        List<String> array = new ArrayList<>(List.of("a", "b"));
        List<Integer> linked = new LinkedList<>(List.of(1, 2));
        List<Integer> pair = List.of(1, 2);
        List<String> fixed = Arrays.asList("x", "y");
        List<String> view = Collections.unmodifiableList(array);
        Map<String, Integer> hash = new HashMap<>(Map.of("k", 1));
        Map<String, Integer> tree = new TreeMap<>(Map.of("b", 2, "a", 1));
        Map<Integer, String> shared = new ConcurrentHashMap<>(Map.of(7, "seven"));
        Map<String, Integer> single = Map.of("only", 1);
        Set<Integer> set = new HashSet<>(Set.of(5));
        Set<Integer> sorted = new TreeSet<>(List.of(3, 1, 2));
        ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3));
        Optional<String> some = Optional.of("yes");
        Optional<String> none = Optional.empty();
        Color red = Color.RED;
        Color green = Color.GREEN;
        Point point = new Point(1, 2);
        Account account = new Account("Ann", 10);
        Integer boxed = 5;
        char letter = 'c';
        BigDecimal price = new BigDecimal("1.50");
        LocalDate day = LocalDate.of(2026, 11, 21);
        AtomicInteger atomic = new AtomicInteger(3);
        int[][] grid = {{1, 2}, {3, 4}};
        StringBuilder builder = new StringBuilder("built");
        Throwable error = new IllegalStateException("broken");
        Kinds outer = new Kinds();
        System.out.println("ready" + array + linked + pair + fixed + view + hash + tree + shared + single + set + sorted); //@mark ready
        System.out.println("" + deque + some + none + red + green + point + boxed + letter + price + day + atomic + grid + builder + error);
        account.pay(5); //@mark before
        System.out.println(outer.new Inner().plus(2));
    }
}
