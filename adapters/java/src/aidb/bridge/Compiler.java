package aidb.bridge;

import aidb.text.Failure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The JDK's compiler, from memory to memory. */
final class Compiler {
    private Compiler() {}

    static JavaCompiler system() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new Failure("this Java runtime has no compiler: code can be replaced only with a JDK");
        }
        return compiler;
    }

    /** Classes by their full names. Errors are the compiler's own. */
    static Map<String, byte[]> compile(Path file, String source, List<String> options) {
        JavaCompiler compiler = system();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        Map<String, ByteArrayOutputStream> out = new HashMap<>();
        StandardJavaFileManager standard = compiler.getStandardFileManager(found, null, null);
        JavaFileManager memory = new ForwardingJavaFileManager<JavaFileManager>(standard) {
            @Override
            public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
                return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + ".class"), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        return out.computeIfAbsent(name, n -> new ByteArrayOutputStream());
                    }
                };
            }
        };
        boolean done = compiler.getTask(null, memory, found, options, null, List.of(source(file, source))).call();
        try {
            memory.close();
        } catch (IOException e) {
            throw new Failure("the compiler did not end well: %s", e.getMessage());
        }
        if (!done) {
            throw new Failure("the new code does not compile: %s", errors(found));
        }
        Map<String, byte[]> classes = new HashMap<>();
        out.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    static JavaFileObject source(Path file, String text) {
        return new SimpleJavaFileObject(file.toUri(), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignore) {
                return text;
            }
        };
    }

    static String errors(DiagnosticCollector<JavaFileObject> found) {
        List<String> errors = found.getDiagnostics().stream().filter(d -> d.getKind() == Diagnostic.Kind.ERROR).limit(3)
            .map(d -> "line " + d.getLineNumber() + ": " + d.getMessage(null).replaceAll("\\s+", " ")).toList();
        return String.join("; ", errors);
    }
}
