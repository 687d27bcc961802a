package aidb.bridge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Heads of methods: their lines hold no code, and mean the first line of the body. */
final class Heads {
    /** A method by the name that the source has for it, and its first line with code. */
    record Body(String name, int first) {
        static Body of(String type, String method, int first) {
            String simple = type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
            return new Body(method.equals("<init>") ? simple : method, first);
        }
    }

    private static final int LONGEST = 20; // lines of a head
    private static final Pattern REMARK = Pattern.compile("(?s)//[^\n]*|/\\*.*?\\*/");

    private Heads() {}

    /** The first line of the method that a line is part of the head of, 0 when it is none's. */
    static int first(String path, int line, List<Body> bodies) {
        Body next = bodies.stream().filter(b -> b.first > line).min(Comparator.comparingInt(Body::first)).orElse(null);
        if (next == null || next.first - line > LONGEST) {
            return 0;
        }
        List<String> lines = lines(path);
        if (next.first > lines.size() || line < 1 || lines.get(line - 1).isBlank()) {
            return 0;
        }
        int from = line;
        while (from > 1 && from > line - LONGEST && !lines.get(from - 2).isBlank() && !lines.get(from - 2).matches(".*[;{}].*")) {
            from--;
        }
        String head = REMARK.matcher(String.join("\n", lines.subList(from - 1, next.first - 1))).replaceAll("").strip();
        return head.matches("(?s)[^;{}]*(?<![\\w$.])" + Pattern.quote(next.name) + "\\s*\\([^;{}]*\\{") ? next.first : 0;
    }

    private static List<String> lines(String path) {
        try {
            return Files.readAllLines(Path.of(path), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return List.of(); // it is not here, or written otherwise
        }
    }
}
