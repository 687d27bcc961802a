public class Rate {
    static long run(long n) {
        long total = 0;
        for (long i = 0; i < n; i++) {
            total += i;
        }
        return total;
    }

    public static void main(String[] args) {
        System.out.println(run(Long.parseLong(args[0])));
    }
}
