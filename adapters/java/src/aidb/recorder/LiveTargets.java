package aidb.recorder;

import aidb.asm.Opcodes;
import aidb.text.Closest;
import aidb.text.Obj;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The classes of a running program that something is wanted of: those that are loaded, and those that will be. */
final class LiveTargets {
    private static final int MOST = 500; // functions at once
    private static final int LOOKED = 100; // packages in which a class that is not loaded is looked for
    private static final int LOADERS = 10;
    private static final long PATIENCE = 10_000_000_000L; // ns for looking through the classes

    private final Instrumentation by;
    private final Wish wish;
    private final String named; // file of a line
    private final int at; // line
    private final List<String> functions;
    private final String written;
    private final Map<String, String> files = new ConcurrentHashMap<>(); // of the classes, by their names
    private boolean own; // only classes whose source is here
    private String coming; // a class that is not loaded yet
    private boolean isKnown; // a class was found that has what is named
    private final TreeSet<Integer> lines = new TreeSet<>(); // of the file, that have code
    private final long began = System.nanoTime();
    LiveField field;
    private int access;

    LiveTargets(Instrumentation by, Wish wish, Obj order) {
        this.by = by;
        this.wish = wish;
        named = order.text("file");
        at = order.number("line");
        functions = order.texts("functions");
        written = order.text("written");
    }

    /** Loaded classes of the program: those of the JDK and ours are not. */
    private static List<Class<?>> loaded(Instrumentation by) {
        List<Class<?>> all = new ArrayList<>();
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        for (Class<?> c : by.getAllLoadedClasses()) {
            ClassLoader l = c.getClassLoader();
            if (l != null && l != platform && l != Live.class.getClassLoader() && !c.isArray() && !c.isHidden() && !c.getName().startsWith("aidb.")
                && !(l.getName() != null && l.getName().equals("aidb")) && by.isModifiableClass(c)) {
                all.add(c);
            }
        }
        return all;
    }

    static List<Class<?>> loaded(Instrumentation by, String name) {
        return loaded(by).stream().filter(c -> c.getName().equals(name)).toList();
    }

    /** Those loaded classes that are to be changed. */
    List<Class<?>> find() {
        List<Class<?>> all = loaded(by);
        if (!written.isEmpty()) {
            return writers(all);
        }
        List<Class<?>> found = new ArrayList<>();
        List<Class<?>> theirs = new ArrayList<>();
        int count = 0;
        for (Class<?> c : all) {
            if (!mayBe(c.getName())) {
                continue;
            }
            timely();
            LiveClass is = LiveClass.of(c);
            String file = is == null ? null : matched(is);
            if (file != null) {
                (isOwn(file) ? found : theirs).add(c);
                files.put(c.getName(), file);
                count += functions(is, file);
            }
        }
        own = !found.isEmpty();
        isKnown = own || !theirs.isEmpty();
        if (!isKnown) {
            coming = notLoaded(all);
        }
        if (count > MOST) {
            throw new Wish.Refused("functions", "that names " + count + " functions, and " + MOST + " are recorded at once");
        }
        return own ? found : theirs;
    }

    /** Ends a look through too many classes, which costs the program processor time. */
    private void timely() {
        if (System.nanoTime() - began > PATIENCE) {
            throw new Wish.Refused("", "the program has too many classes to look through in 10 s: name functions and fields with their class and package (shop.Order.total)");
        }
    }

    /** Whether a class may be one of those, by its name alone. */
    private boolean mayBe(String type) {
        if (!named.isEmpty()) {
            int dot = type.lastIndexOf('.');
            return inDirectory(named, type.substring(0, Math.max(dot, 0)).replace('.', '/'));
        }
        String dotted = type.replace('$', '.');
        String simple = dotted.substring(type.lastIndexOf('.') + 1);
        for (String name : functions) {
            int dot = name.lastIndexOf('.');
            if (dot < 0 || name.contains("*") || name.endsWith(".java") || ("." + dotted).endsWith("." + name.substring(0, dot)) || ("." + dotted).endsWith("." + name)
                || (dotted + ".").startsWith(name + ".") || (simple + ".").startsWith(name + ".")) {
                return true;
            }
        }
        return false;
    }

    /** Whether a file may be in a package, by its directory. */
    private static boolean inDirectory(String file, String inPackage) {
        int slash = file.lastIndexOf('/');
        String dir = slash < 0 ? "" : file.substring(0, slash);
        return inPackage.isEmpty() || dir.isEmpty() || ("/" + dir).endsWith("/" + inPackage) || ("/" + inPackage).endsWith("/" + dir);
    }

    /** The file of a class that something is wanted of; null for others. */
    private String matched(LiveClass is) {
        String file = source(is.file());
        if (!named.isEmpty()) {
            if (!is.source.equals(named.substring(named.lastIndexOf('/') + 1))) {
                return null;
            }
            TreeSet<Integer> with = is.lines();
            lines.addAll(with);
            return with.contains(at) ? file : null;
        }
        return functions(is, file) > 0 ? file : null;
    }

    private int functions(LiveClass is, String file) {
        return (int) is.methods.stream().filter(m -> wish.calls(is.type.replace('.', '/'), file, m)).count();
    }

    /** The source itself where it is known. */
    private String source(String relative) {
        for (String root : wish.roots) {
            Path file = Path.of(root, relative);
            if (Files.exists(file)) {
                return file.toString();
            }
        }
        return relative;
    }

    private static boolean isOwn(String file) {
        return file.startsWith("/") || file.indexOf(':') > 0;
    }

    /** The file of a class that passes by, if code is to be put into it. */
    String file(ClassLoader loader, String type, Class<?> redefined, byte[] bytes) {
        String file = files.get(type);
        if (file == null && redefined == null && loader != null && loader != ClassLoader.getPlatformClassLoader() && !type.startsWith("aidb.")) {
            file = field != null ? writer(LiveClass.of(type, bytes)) : mayBe(type) ? matched(LiveClass.of(type, bytes)) : null;
            if (file != null && own && !isOwn(file)) {
                return null;
            }
            if (file != null) {
                files.put(type, file);
            }
        }
        return file;
    }

    /** Whether what is named is that of a class which will be loaded. */
    boolean later() {
        return coming != null;
    }

    // Writes.

    private List<Class<?>> writers(List<Class<?>> all) {
        String path = written.startsWith("this.") ? written.substring(5) : written;
        if (!path.matches("[\\p{L}_$][\\p{L}\\p{N}_$.]*")) {
            throw new Wish.Refused("expression", written + " is no field: writes are recorded of a field, static or of all objects of its class, named as Class.field or field");
        }
        int dot = path.lastIndexOf('.');
        String name = path.substring(dot + 1);
        String owner = dot < 0 ? "" : path.substring(0, dot);
        Set<LiveField> ours = new LinkedHashSet<>();
        Set<LiveField> theirs = new LinkedHashSet<>();
        Set<String> known = new TreeSet<>();
        for (Class<?> c : all) {
            String dotted = c.getName().replace('$', '.');
            if (!owner.isEmpty() && !("." + dotted).endsWith("." + owner)) {
                continue;
            }
            timely();
            LiveClass is = LiveClass.of(c);
            LiveClass.Member m = is == null ? null : is.fields.get(name);
            if (m != null) {
                (isOwn(source(is.file())) ? ours : theirs).add(new LiveField(c.getName(), name, m.descriptor()));
                access = m.access();
            } else if (is != null && isOwn(source(is.file()))) {
                is.fields.keySet().forEach(f -> known.add(Show.type(c) + "." + f));
            }
        }
        Set<LiveField> found = ours.isEmpty() ? theirs : ours;
        if (found.isEmpty()) {
            throw new Wish.Refused("expression", "no class that is loaded has a field " + path + Closest.meant(path, List.copyOf(known)));
        }
        if (found.size() > 1) {
            throw new Wish.Refused("expression", "several classes have a field " + path + ": name one of " + String.join(", ",
                found.stream().limit(6).map(f -> f.type().replace('$', '.') + "." + f.name()).toList()));
        }
        field = found.iterator().next();
        isKnown = true;
        List<Class<?>> writers = new ArrayList<>();
        for (Class<?> c : all) {
            if (mayWrite(c.getName())) {
                timely();
                LiveClass is = LiveClass.of(c);
                String file = is == null ? null : writer(is);
                if (file != null) {
                    writers.add(c);
                    files.put(c.getName(), file);
                }
            }
        }
        return writers;
    }

    /** Whether a class may write to the field, by who sees it. */
    private boolean mayWrite(String type) {
        if ((access & Opcodes.ACC_PRIVATE) != 0) {
            return outer(type).equals(outer(field.type()));
        }
        return (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0 || inPackage(type).equals(inPackage(field.type()));
    }

    private String writer(LiveClass is) {
        return mayWrite(is.type) && is.mentions(field.name()) ? source(is.file()) : null;
    }

    private static String outer(String type) {
        int at = type.indexOf('$', type.lastIndexOf('.') + 2);
        return at < 0 ? type : type.substring(0, at);
    }

    private static String inPackage(String type) {
        return type.substring(0, Math.max(0, type.lastIndexOf('.')));
    }

    // What is not there.

    /** A class that is not loaded yet, but can be, and that is named. */
    private String notLoaded(List<Class<?>> all) {
        Set<ClassLoader> loaders = new LinkedHashSet<>(List.of(ClassLoader.getSystemClassLoader()));
        Set<String> names = new HashSet<>();
        Set<String> packages = new TreeSet<>(Comparator.comparing(String::length).thenComparing(p -> p));
        packages.add("");
        for (Class<?> c : all) {
            names.add(c.getName());
            if (loaders.size() < LOADERS) {
                loaders.add(c.getClassLoader());
            }
            if (packages.size() < LOOKED) {
                packages.add(c.getPackageName().isEmpty() ? "" : c.getPackageName() + ".");
            }
        }
        for (ClassLoader l : loaders) {
            for (String type : possible(packages)) {
                timely();
                boolean theirs = ClassLoader.getPlatformClassLoader().getResource(type.replace('.', '/') + ".class") != null; // the JDK's
                LiveClass is = !theirs && !names.contains(type) ? LiveClass.of(l, type) : null;
                if (is != null && matched(is) != null) {
                    return type;
                }
            }
        }
        return null;
    }

    private List<String> possible(Set<String> packages) {
        List<String> all = new ArrayList<>();
        if (named.endsWith(".java")) {
            String type = named.substring(0, named.length() - 5).replaceFirst("^/", "").replace('/', '.');
            for (int dot = -1; dot < type.length(); dot = type.indexOf('.', dot + 1)) {
                all.add(type.substring(dot + 1));
                if (type.indexOf('.', dot + 1) < 0) {
                    break;
                }
            }
        }
        for (String name : functions) {
            int dot = name.lastIndexOf('.');
            if (dot > 0 && !name.contains("*")) {
                packages.forEach(p -> all.add(p + name.substring(0, dot)));
                packages.forEach(p -> all.add(p + name));
            }
        }
        return all;
    }

    Wish.Refused nothing() {
        if (field != null) {
            return new Wish.Refused("expression", "no code of the classes that are loaded writes to " + field.type() + "." + field.name());
        }
        if (!named.isEmpty()) {
            if (lines.isEmpty()) {
                return new Wish.Refused("location", "no class of the program, loaded or to be found, was compiled from " + named);
            }
            Integer next = lines.ceiling(at);
            Integer before = lines.floor(at);
            return new Wish.Refused("location", "line " + at + " of " + named + " has no code" + (next == null ? "" : "; the next that has is " + next)
                + (before == null ? "" : (next == null ? "; the last that has is " : ", the one before ") + before));
        }
        List<String> known = new ArrayList<>();
        for (Class<?> c : loaded(by)) {
            LiveClass is = known.size() < 5_000 ? LiveClass.of(c) : null;
            if (is != null && isOwn(source(is.file()))) {
                is.methods.stream().filter(m -> !m.startsWith("<") && !m.contains("$")).forEach(m -> known.add(Show.type(c) + "." + m));
            }
        }
        String name = functions.isEmpty() ? "" : functions.get(0);
        return new Wish.Refused("functions", "no function of the program's classes is called " + String.join(" or ", functions) + Closest.meant(name, known)
            + " (those of the JDK are not recorded; a class that is not loaded yet is found by its name: Order.total)");
    }

    String how() {
        String text = "in the program, by bytecode that an agent of ours put into its loaded classes, and takes out again; it stops for nothing; a hit costs some microseconds";
        if (field != null) {
            text += "; writes by the program's own code: those by reflection, VarHandle, Unsafe and native code are not seen; the value before is read right before the write";
        }
        if (coming != null) {
            text += "; " + coming + " is not loaded yet: it is recorded from when it is";
        }
        if (Runtime.version().feature() >= 21) {
            text += "; this Java writes a warning to the program's standard error when an agent comes to it, unless it was started with -XX:+EnableDynamicAgentLoading";
        }
        return text;
    }
}
