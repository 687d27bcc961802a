import java.nio.file.*;

public class Loop {
    public static void main(String[] args) throws Exception {
        long total = 0;
        for (int i = 1; i < 100000; i++) {
            total += i;
            Files.writeString(Path.of(args[0]), i + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            mark(i, total); // here
        }
    }

    static long mark(long i, long total) {
        return i + total;
    }
}
