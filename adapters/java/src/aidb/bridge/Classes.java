package aidb.bridge;

import aidb.text.Closest;
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

    /** The classes that were compiled from a source file. */
    List<ClassFile> of(String packageName, String source) {
        List<ClassFile> found = new ArrayList<>();
        String named = source.replaceFirst("java$", "class"); // where the class does not tell its source
        for (Path root : roots) {
            try (Stream<Path> files = Files.list(root.resolve(packageName.replace('.', '/')))) {
                for (Path file : files.filter(Classes::isClass).toList()) {
                    ClassFile type = read(file);
                    if (type != null && (source.equals(type.source) || type.source == null && file.getFileName().toString().equals(named))) {
                        found.add(type);
                    }
                }
            } catch (IOException e) {
                continue; // this root has no such package
            }
        }
        return found;
    }

    /** A class by its full name, null when it is none of these. */
    ClassFile named(String name) {
        Path file = file(name);
        return file == null ? null : read(file);
    }

    /** The class file of a class, null when it is none of these. */
    byte[] code(String name) throws IOException {
        Path file = file(name);
        return file == null ? null : Files.readAllBytes(file);
    }

    private Path file(String name) {
        for (Path root : roots) {
            Path file = root.resolve(name.replace('.', '/') + ".class");
            if (Files.isRegularFile(file)) {
                return file;
            }
        }
        return null;
    }

    /** All lines with code of some classes. */
    static TreeSet<Integer> lines(List<ClassFile> classes) {
        TreeSet<Integer> lines = new TreeSet<>();
        classes.forEach(c -> lines.addAll(c.lines));
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

    /** Why a function breakpoint is bound to nothing yet: only what the classes of the user and of the JDK prove. */
    String unknown(Function function, List<ClassFile> own) {
        List<String> like = function.like(own, 2);
        String meant = like.isEmpty() ? "" : "; did you mean " + String.join(" or ", like) + "?";
        if (function.type().isEmpty()) {
            return "the program's own classes have no such method" + meant + (like.isEmpty() ? "; a library's is named with its class" : "");
        }
        if (own.stream().anyMatch(c -> function.in(c.name))) {
            return function.type() + " has no such method" + meant;
        }
        Class<?> platform = platform(function.type());
        if (platform == null) {
            return "no class " + function.type() + " is loaded yet, and it is none of the program's own; it is bound when one is loaded" + meant;
        }
        List<String> methods = Stream.of(platform.getDeclaredMethods()).map(java.lang.reflect.Method::getName).toList();
        boolean there = methods.contains(function.method()) || function.method().equals("<init>");
        return there ? platform.getName() + " is not loaded yet; it is bound when it is"
            : platform.getName() + " itself has no such method" + Closest.meant(function.method(), methods);
    }

    /** A class of the JDK by its full name, null when there is none. */
    private static Class<?> platform(String name) {
        for (String tried = name; tried.contains("."); tried = tried.replaceFirst("\\.(?=[^.]*$)", "\\$")) {
            try {
                return Class.forName(tried, false, ClassLoader.getPlatformClassLoader());
            } catch (ClassNotFoundException | LinkageError e) {
                continue; // it may be a nested one
            }
        }
        return null;
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
