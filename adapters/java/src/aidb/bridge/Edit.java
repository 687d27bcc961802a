package aidb.bridge;

import aidb.text.Closest;
import aidb.text.Failure;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;

/** Puts new code into the place of old in a source text, by what the compiler's parser says of both. */
final class Edit {
    record Result(String source, String name) {}

    private static final Pattern KEYWORD = Pattern.compile("\\b(class|interface|enum|record)\\b");
    private static final String SHELL = "class Patch { ";

    /** A parsed text. */
    private static final class Unit {
        final CompilationUnitTree tree;
        final SourcePositions positions;
        final String errors;

        Unit(Path file, String text) {
            DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
            JavacTask task = (JavacTask) Compiler.system().getTask(null, null, found, List.of("-proc:none"), null, List.of(Compiler.source(file, text)));
            try {
                tree = task.parse().iterator().next();
            } catch (IOException e) {
                throw new Failure("%s cannot be read: %s", file, e.getMessage());
            }
            positions = Trees.instance(task).getSourcePositions();
            errors = Compiler.errors(found);
        }

        int start(Tree part) {
            return (int) positions.getStartPosition(tree, part);
        }

        int end(Tree part) {
            return (int) positions.getEndPosition(tree, part);
        }
    }

    private Edit() {}

    /** Not so the class that newer compilers imagine round methods that stand alone. */
    private static boolean written(Unit unit, Tree type, String code) {
        int start = unit.start(type);
        return start >= 0 && start < unit.end(type) && KEYWORD.matcher(code.substring(start, unit.end(type)).split("\\{", 2)[0]).find();
    }

    static Result apply(Path file, String source, String owner, String name, String code) {
        Unit old = new Unit(file, source);
        Unit whole = new Unit(file, code);
        if (whole.errors.isEmpty() && whole.tree.getTypeDecls().stream().anyMatch(t -> t instanceof ClassTree && written(whole, t, code))) {
            return classes(old, whole, source, code);
        }
        Unit members = new Unit(file, SHELL + code + "\n}");
        if (!members.errors.isEmpty()) {
            throw new Failure("the new code does not compile: %s", members.errors);
        }
        ClassTree shell = (ClassTree) members.tree.getTypeDecls().get(0);
        List<MethodTree> fresh = methods(shell);
        if (fresh.isEmpty()) {
            throw new Failure("the code is no method: give a whole method with its head, such as \"int add(int a, int b) { return a + b; }\", or a whole class");
        }
        String text = source;
        String replaced = owner;
        for (MethodTree method : fresh) {
            Unit now = new Unit(file, text);
            MethodTree target = target(now, owner, method);
            String body = (SHELL + code).substring(members.start(method), members.end(method));
            String before = text.substring(now.start(target), now.end(target));
            text = text.substring(0, now.start(target)) + level(body, before, method) + text.substring(now.end(target));
            replaced = owner + "." + method.getName();
        }
        return new Result(text, replaced);
    }

    /** Brings new code to the number of lines of the old, so that all code after it keeps its lines. */
    private static String level(String code, String old, Tree tree) {
        long wanted = old.lines().count();
        long lines = code.lines().count();
        if (lines <= wanted) {
            return code + "\n".repeat((int) (wanted - lines));
        }
        List<String> plain = tree.toString().strip().lines().toList(); // without comments, which would swallow what is joined
        int kept = (int) Math.min(wanted - 1, plain.size());
        String head = String.join("\n", plain.subList(0, kept));
        return head + (kept > 0 ? "\n" : "") + String.join(" ", plain.subList(kept, plain.size())) + "\n".repeat((int) (wanted - 1 - kept));
    }

    /** New classes take the place of those of the same name; a text with a package or imports, of the whole file. */
    private static Result classes(Unit old, Unit fresh, String source, String code) {
        ClassTree first = (ClassTree) fresh.tree.getTypeDecls().get(0);
        if (fresh.tree.getPackageName() != null || !fresh.tree.getImports().isEmpty()) {
            return new Result(code, first.getSimpleName().toString());
        }
        for (ClassTree candidate : all(old)) {
            if (candidate.getSimpleName().equals(first.getSimpleName()) || candidate.getSimpleName().contentEquals(first.getSimpleName())) {
                return new Result(source.substring(0, old.start(candidate)) + code + source.substring(old.end(candidate)), first.getSimpleName().toString());
            }
        }
        throw new Failure("the file has no class %s", first.getSimpleName());
    }

    private static MethodTree target(Unit unit, String owner, MethodTree like) {
        List<MethodTree> named = new ArrayList<>();
        List<String> known = new ArrayList<>();
        String simple = owner.substring(owner.lastIndexOf('.') + 1);
        for (ClassTree type : all(unit)) {
            if (!type.getSimpleName().contentEquals(simple)) {
                continue;
            }
            for (MethodTree method : methods(type)) {
                known.add(method.getName().toString());
                if (method.getName().contentEquals(like.getName())) {
                    named.add(method);
                }
            }
        }
        if (named.size() > 1) {
            named.removeIf(m -> !types(m).equals(types(like)));
        }
        if (named.isEmpty()) {
            throw new Failure("%s has no method %s(%s) to replace%s", owner, like.getName(), String.join(", ", types(like)), Closest.meant(like.getName().toString(), known));
        }
        return named.get(0);
    }

    private static List<String> types(MethodTree method) {
        return method.getParameters().stream().map(p -> p.getType().toString()).toList();
    }

    private static List<MethodTree> methods(ClassTree type) {
        return type.getMembers().stream().filter(MethodTree.class::isInstance).map(MethodTree.class::cast)
            .filter(m -> m.getReturnType() != null || !m.getName().contentEquals("<init>") || m.getBody() != null).toList();
    }

    private static List<ClassTree> all(Unit unit) {
        List<ClassTree> types = new ArrayList<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitClass(ClassTree type, Void nothing) {
                types.add(type);
                return super.visitClass(type, nothing);
            }
        }.scan(unit.tree, null);
        return types;
    }
}
