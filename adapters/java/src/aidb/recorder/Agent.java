package aidb.recorder;

import java.io.FileInputStream;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Is started before the program, and has its classes woven as they are loaded. */
public final class Agent implements ClassFileTransformer {
    private static final Map<String, String> FILES = new ConcurrentHashMap<>(); // of classes, by their outermost names
    private static final AtomicInteger LOADED = new AtomicInteger();

    private final Wish wish;
    private final Nested nested = new Nested();
    private final List<String> classes; // directories and archives of the user's own
    private final Map<String, Boolean> known = new ConcurrentHashMap<>(); // whether those of a place are
    private volatile Seen seen;

    private Agent(Wish wish, List<String> classes) {
        this.wish = wish;
        this.classes = classes;
    }

    /** Its argument is the directory of the recording. */
    public static void premain(String records, Instrumentation by) throws IOException {
        Reach.by = by;
        Path dir = Path.of(records);
        Hooks.notes = new Notes(dir.toFile());
        Wish wish;
        try {
            wish = new Wish(dir.resolve("wish.json"));
        } catch (Wish.Refused refused) {
            Hooks.notes.write(new Notes.Event("refused").text("m", refused.getMessage()).texts("a", List.of(refused.field)));
            Runtime.getRuntime().halt(0);
            return;
        }
        Hooks.wish = wish;
        Hooks.all = wish.all;
        Hooks.lines = wish.lines;
        if (wish.ends > 0) {
            Hooks.notes.ends(wish.ends, wish.probes.isEmpty());
        }
        Hooks.thin = wish.thin;
        if (wish.writes != null && !wish.elements()) {
            Runtime.getRuntime().addShutdownHook(new Thread(Held::end));
        }
        if (wish.first != null) {
            new Moments(wish.first, new Judgements(dir.toFile()));
        }
        if (dir.resolve("beside").toFile().exists()) {
            Hooks.flight = true;
            Flight.begin(wish.thin);
        } else {
            Failures.begin();
        }
        by.addTransformer(new Agent(wish, Arrays.asList(text(dir.resolve("classes")).split("\n"))));
    }

    /** The text of a file, read without what takes longer to load than to run. */
    static String text(Path file) throws IOException {
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (name == null || redefined != null && !Hooks.flight || !own(domain)) {
            return null;
        }
        try {
            ClassFile in = new ClassFile(bytes);
            if (in.version < 49 || in.sourceFile == null) {
                return null;
            }
            String file = file(name, in.sourceFile);
            if (Hooks.flight && !reaches(loader)) {
                Flight.misses(file, name.replace('/', '.'));
                return null;
            }
            LOADED.incrementAndGet();
            FILES.put(outer(name.replace('/', '.')), file);
            nested.add(in);
            return new Weaver(wish, nested, in, file, loader).woven();
        } catch (ClassFile.Unfit e) {
            wish.once(name.replace('/', '.') + " is not recorded: " + e.getMessage());
        } catch (RuntimeException | LinkageError e) {
            wish.once(name.replace('/', '.') + " is not recorded: " + e);
        }
        return null;
    }

    /** Whether classes of a loader find ours, as far as it asks its parents. */
    private static boolean reaches(ClassLoader loader) {
        ClassLoader l = loader;
        while (l != null && l != Agent.class.getClassLoader()) {
            l = l.getParent();
        }
        return l != null;
    }

    private static String outer(String type) {
        int at = type.indexOf('$');
        return at < 0 ? type : type.substring(0, at);
    }

    /** Of the domain that was asked about last, which most classes have in common with the one before. */
    private record Seen(ProtectionDomain domain, boolean own) {}

    private boolean own(ProtectionDomain domain) {
        Seen before = seen;
        if (before != null && before.domain == domain) {
            return before.own;
        }
        boolean own = domain != null && isOwn(domain);
        seen = new Seen(domain, own);
        return own;
    }

    private boolean isOwn(ProtectionDomain domain) {
        CodeSource from = domain.getCodeSource();
        URL url = from == null ? null : from.getLocation();
        if (url == null) {
            return false;
        }
        String text = url.toString();
        Boolean found = known.get(text);
        if (found == null) {
            found = own(text);
            known.put(text, found);
        }
        return found;
    }

    private boolean own(String url) {
        String at = URLDecoder.decode(url.replace("+", "%2B"), StandardCharsets.UTF_8);
        if (at.contains("BOOT-INF/lib/") || at.contains("WEB-INF/lib/")) {
            return false;
        }
        return classes.contains(path(at));
    }

    /** The directory or archive of an address: file:/a/b/, jar:file:/a/b.jar!/c. */
    private static String path(String url) {
        int from = 0;
        for (int i = 0; i < url.length() && (Character.isLetterOrDigit(url.charAt(i)) || url.charAt(i) == ':'); i++) {
            from = url.charAt(i) == ':' ? i + 1 : from;
        }
        from += url.startsWith("//", from) ? 2 : 0;
        int end = url.indexOf('!', from);
        end = end < 0 ? url.length() : end;
        return url.substring(from, end > from && url.charAt(end - 1) == '/' ? end - 1 : end);
    }

    /** The source of a class: an absolute path, where it is known. */
    private String file(String name, String source) {
        int at = name.lastIndexOf('/');
        String relative = (at < 0 ? "" : name.substring(0, at + 1)) + source;
        String type = outer(name.replace('/', '.'));
        String found = FILES.get(type);
        if (found == null) {
            found = relative;
            for (String root : wish.roots) {
                Path file = Path.of(root, relative);
                if (file.toFile().exists()) {
                    found = file.toString();
                    break;
                }
            }
            FILES.put(type, found);
        }
        return found;
    }

    /** How many of the user's own classes have passed by here. */
    static int loaded() {
        return LOADED.get();
    }

    /** Whether a class is one of the user's own, which have passed by here. */
    static boolean owns(String type) {
        return FILES.containsKey(outer(type));
    }

    static String fileOf(String type, String source) {
        return FILES.getOrDefault(outer(type), String.valueOf(source));
    }
}
