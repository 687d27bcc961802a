import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.stream.*;

public class Main {
    enum Color { RED, GREEN { @Override String shade() { return "dark"; } }, BLUE; String shade() { return "light " + ordinal(); } }
    record Point(int x, int y) implements Comparable<Point> {
        Point { if (x < 0) throw new IllegalArgumentException("x " + x); }
        Point(int both) { this(both, both); }
        public int compareTo(Point o) { return Integer.compare(x, o.x); }
    }
    interface Shape { double area(); default String told() { String s = getClass().getSimpleName(); return s + " " + area(); } static Shape unit() { return () -> 1; } }
    static class Square implements Shape { final double side; Square(double side) { this.side = side; } public double area() { return side * side; } }
    static class Cube extends Square { final int many; Cube(double side, int... more) { super(check(side > 0 ? side : -side)); int i = 0; for (int m : more) i += m; many = i; }
        static double check(double d) { if (d > 100) throw new IllegalStateException("big"); return d; }
        @Override public double area() { return super.area() * 6 + many; } }
    class Inner { int x = base + 1; int sum(int i) { return x + base + i; } }
    static final Map<String, Integer> COUNTS = new TreeMap<>();
    static int made;
    static { int i = 3; made = i * 2; COUNTS.put("start", made); }
    int base; int x = 5; { x += 2; }
    static StringBuilder out = new StringBuilder();
    Main(int base) { this.base = base; }
    Main() { this(40); x++; }

    static long fib(int i) { return i < 2 ? i : fib(i - 1) + fib(i - 2); }
    static String days(int i) { switch (i) { case 0: return "zero"; case 1: case 2: out.append('f'); default: return "many"; } }
    static int word(String s) { return switch (s) { case "a", "b" -> 1; case "c" -> { int i = s.length(); yield i + 1; } default -> 9; }; }
    static int tried(int i) {
        try { if (i == 1) throw new IllegalStateException("one"); if (i == 2) return i; out.append(i); }
        catch (IllegalStateException e) { String s = e.getMessage(); out.append(s); return -1; }
        finally { out.append("|"); if (i == 3) out.append("three"); }
        return 10 / i;
    }
    static int nested(int n) {
        int s = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (int k = 0; ; k++) {
                if (k > i) continue outer;
                if (i * k > 20) break outer;
                s += i ^ k;
            }
        }
        do { s -= 3; } while (s > 50);
        while (s-- > 40) ;
        return s;
    }
    static double wide(long a, double b, int i, float f, byte c, char d, short e, boolean g) {
        long sum = a; double all = b;
        for (long k = 0; k < i; k++) { sum += k; all = all / 2 + f; if (g ^= true) sum <<= 1; }
        return sum + all + c + d + e;
    }
    static <T extends Comparable<T>> T most(Collection<? extends T> list) {
        T x = null;
        for (T t : list) if (x == null || t.compareTo(x) > 0) x = t;
        return x;
    }
    static synchronized int locked(int[] list, Object on) { synchronized (on) { int i = 0; for (int n : list) { i += n; list[0]++; } return i; } }
    static Supplier<IntUnaryOperator> deep(int i) { return () -> { int s = i * 2; return x -> { int y = x + s; return y + i; }; }; }
    static Object match(Object o) { if (o instanceof String s && s.length() > 2) { return s.substring(1); } return o instanceof Integer i ? i + 1 : null; }
    static int deepest(int i) { return i == 0 ? 0 : 1 + deepest(i - 1); }
    static void closing() throws Exception { try (AutoCloseable a = () -> out.append("a"); AutoCloseable b = () -> { throw new Exception("b"); }) { out.append("in"); } }

    public static void main(String[] args) throws Exception {
        for (Color c : Color.values()) out.append(c).append(c.shade()).append(' ');
        try { new Point(-1); } catch (IllegalArgumentException e) { out.append(e.getMessage()); }
        out.append(new Point(3)).append(new Point(1, 2).compareTo(new Point(2))).append('\n');
        for (Shape s : new Shape[] {new Square(2), new Cube(-3, 1, 2), Shape.unit()}) out.append(s.area());
        out.append(new Square(1.5).told()).append('\n');
        try { new Cube(1000); } catch (IllegalStateException e) { out.append(e.getMessage()); }
        Main m = new Main(); Inner in = m.new Inner();
        out.append(in.sum(m.x)).append(new Main(7).x).append(fib(12)).append('\n');
        for (int i = 0; i < 4; i++) { out.append(days(i)).append(word(String.valueOf((char) ('a' + i)))); }
        for (int i = -1; i < 4; i++) try { out.append(tried(i)); } catch (ArithmeticException e) { out.append(e.getMessage()); }
        out.append('\n').append(nested(9)).append(' ').append(wide(5L, 2.5, 7, 0.25f, (byte) 3, 'x', (short) -4, true)).append('\n');
        out.append(most(List.of(3, 9, 4))).append(most(List.of("b", "a"))).append(most(new ArrayList<String>())).append(locked(new int[] {1, 2, 3}, m)).append('\n');
        out.append(deep(4).get().applyAsInt(3)).append(match("word")).append(match(41)).append(match(2.5)).append(deepest(500)).append('\n');
        out.append(IntStream.range(0, 50).filter(i -> i % 3 == 0).mapToObj(i -> { String s = "n" + i; return s; }).collect(Collectors.joining(","))).append('\n');
        out.append((Object) Stream.of("x", "yy", "zzz").collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.counting()))).append('\n');
        Iterator<Integer> it = new Iterator<>() { int i; public boolean hasNext() { return i < 3; } public Integer next() { return i++; } };
        while (it.hasNext()) { out.append(it.next()); }
        try { closing(); } catch (Exception e) { out.append(e.getMessage()); }
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Long>> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) { int n = i; all.add(pool.submit(() -> fib(n + 8))); }
        for (Future<Long> f : all) out.append(' ').append(f.get());
        pool.shutdown();
        out.append(CompletableFuture.supplyAsync(() -> fib(10)).thenApply(l -> l * 2).get()).append(made).append(COUNTS).append('\n');
        class Local { int n = out.length() > 0 ? 1 : 2; int twice() { return n * 2; } }
        out.append(new Local().twice());
        int[][] grid = new int[3][4]; for (int i = 0; i < 3; i++) for (int k = 0; k < 4; k++) grid[i][k] += i * k; out.append(Arrays.deepToString(grid)).append('\n');
        System.out.print(out);
    }
}
