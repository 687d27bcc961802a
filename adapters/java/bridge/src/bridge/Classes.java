package bridge;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The compiled classes of the user, before the program has loaded them. */
final class Classes {
    private static final int MOST = 20_000; // class files looked at for a name
    private final List<String> paths;
    private final List<Path> roots = new ArrayList<>();
    private final Map<Path, Optional<ClassFile>> read = new ConcurrentHashMap<>();

    /** Roots are directories and archives; what is neither is passed over. */
    Classes(List<String> paths) {
        this.paths = paths;
        for (String path : paths) {
            Path root = Path.of(path);
            try {
                if (Files.isDirectory(root)) {
                    roots.add(root);
                } else if (Files.isRegularFile(root)) {
                    roots.add(FileSystems.newFileSystem(root).getPath("/"));
                }
            } catch (IOException | RuntimeException e) {
                System.err.println("cannot read " + path + ": " + e.getMessage());
            }
        }
    }

    List<String> paths() {
        return paths;
    }

    /** The lines with code of a source file; null when no class of it was found. */
    TreeSet<Integer> lines(String packageName, String source) {
        TreeSet<Integer> lines = null;
        String named = source.replaceFirst("java$", "class"); // where the class does not tell its source
        for (Path root : roots) {
            try (Stream<Path> files = Files.list(root.resolve(packageName.replace('.', '/')))) {
                for (Path file : files.filter(Classes::isClass).toList()) {
                    ClassFile type = read(file);
                    if (type != null && (source.equals(type.source) || type.source == null && file.getFileName().toString().equals(named))) {
                        lines = lines == null ? new TreeSet<>() : lines;
                        lines.addAll(type.lines);
                    }
                }
            } catch (IOException e) {
                continue; // this root has no such package
            }
        }
        return lines;
    }

    /** All classes of directories and archives. */
    List<ClassFile> all() {
        List<ClassFile> all = new ArrayList<>();
        for (Path root : roots) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(Classes::isClass).limit(MOST).sorted(Comparator.comparing(Path::toString)).toList()) {
                    ClassFile type = read(file);
                    if (type != null) {
                        all.add(type);
                    }
                }
            } catch (IOException e) {
                System.err.println("cannot list " + root + ": " + e.getMessage());
            }
        }
        return all;
    }

    private ClassFile read(Path file) {
        return read.computeIfAbsent(file, f -> {
            try {
                return Optional.of(ClassFile.read(f));
            } catch (IOException | RuntimeException e) {
                return Optional.empty();
            }
        }).orElse(null);
    }

    private static boolean isClass(Path path) {
        return path.toString().endsWith(".class");
    }
}
