package aidb.bridge;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ReferenceType;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the user's source files are, and whose code a class is. */
final class Sources {
    static final List<String> LIBRARIES = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", Recorder.CLASSES, "org.junit.", "junit.", "org.hamcrest.",
        "org.opentest4j.", "org.apache.maven.", "org.gradle.", "worker.org.gradle.");
    private static final List<String> JDK = LIBRARIES.subList(0, 6);
    private static final Pattern PACKAGE = Pattern.compile("^\\s*package\\s+([\\w.]+)\\s*;");
    private static final Pattern IMPORT = Pattern.compile("^\\s*import\\s+(?:static\\s+)?([\\w.]+(?:\\.\\*)?)\\s*;");
    private static final int HEAD = 400; // lines in which package and imports are looked for

    private final List<Path> roots;
    private final Map<String, Optional<Path>> found = new ConcurrentHashMap<>();
    private final Map<Path, List<String>> imports = new ConcurrentHashMap<>();
    private final Map<String, String> packages = new ConcurrentHashMap<>();

    Sources(List<String> roots) {
        this.roots = roots.stream().map(Path::of).toList();
    }

    static boolean library(String type) {
        return LIBRARIES.stream().anyMatch(type::startsWith);
    }

    /** Of the other libraries the user may work on one: then its source is here. */
    private static boolean jdk(String type) {
        return JDK.stream().anyMatch(type::startsWith);
    }

    /** Whether a class is the user's own: one whose source is here. */
    boolean own(ReferenceType type) {
        return !type.name().contains("$$Lambda") && (roots.isEmpty() ? !library(type.name()) : find(type) != null);
    }

    /** The same of a class that is known by its name and the file it was compiled from. */
    boolean own(String type, String file) {
        return roots.isEmpty() ? !library(type) : !jdk(type) && find(type, file) != null;
    }

    /** The source file of a class, null when it is not here. */
    Path find(ReferenceType type) {
        return jdk(type.name()) ? null : find(type.name(), name(type));
    }

    Path find(String type, String name) {
        if (name == null) {
            return null;
        }
        int dot = type.lastIndexOf('.');
        String relative = type.substring(0, dot + 1).replace('.', '/') + name;
        return found.computeIfAbsent(relative, this::search).orElse(null);
    }

    private Optional<Path> search(String relative) {
        return roots.stream().map(root -> root.resolve(relative)).filter(Files::isRegularFile).findFirst();
    }

    /** The bare name of the file that a class was compiled from; where it does not tell, that of the outermost class. */
    static String name(ReferenceType type) {
        try {
            return type.sourceName();
        } catch (AbsentInformationException e) {
            String simple = type.name().substring(type.name().lastIndexOf('.') + 1);
            return simple.replaceFirst("\\$.*", "") + ".java";
        }
    }

    /** Whether a class was compiled from this file. */
    boolean compiledFrom(ReferenceType type, String path) {
        int dot = type.name().lastIndexOf('.');
        return packageOf(path).equals(dot < 0 ? "" : type.name().substring(0, dot)) && Path.of(path).getFileName().toString().equals(name(type));
    }

    /** The package that a source file declares. */
    String packageOf(String path) {
        return packages.computeIfAbsent(path, p -> {
            for (String line : head(Path.of(p))) {
                Matcher m = PACKAGE.matcher(line);
                if (m.find()) {
                    return m.group(1);
                }
            }
            return "";
        });
    }

    /** What the file of a class imports: full names, and packages as "java.util.*". */
    List<String> imports(ReferenceType type) {
        Path path = find(type);
        return path == null ? List.of() : imports.computeIfAbsent(path, p -> {
            List<String> names = new ArrayList<>();
            for (String line : head(p)) {
                Matcher m = IMPORT.matcher(line);
                if (m.find()) {
                    names.add(m.group(1));
                }
            }
            return names;
        });
    }

    private static List<String> head(Path path) {
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
            for (String line = reader.readLine(); line != null && lines.size() < HEAD; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            return lines; // what cannot be read declares nothing
        }
        return lines;
    }
}
