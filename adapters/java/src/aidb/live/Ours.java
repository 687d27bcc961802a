package aidb.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * Says who may have made what an order to us leads to. An order may be taken when who gave it has gone, and with it the
 * private directory: another user can make one of the same name then, and would have this JVM run what he likes.
 */
public final class Ours {
    private static final LinkOption[] ITSELF = {LinkOption.NOFOLLOW_LINKS};
    private static final Set<PosixFilePermission> OTHERS = Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private Ours() {}

    /**
     * Whether a file and its directory are this user's or root's, and nobody else can write them. Of a socket it may be
     * allowed: the directory is what keeps others away from it.
     */
    public static boolean is(Path file) throws IOException {
        return own(file) && own(file.toAbsolutePath().getParent());
    }

    private static boolean own(Path at) throws IOException {
        if (!at.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return true; // Windows: the directory is below the user's own
        }
        PosixFileAttributes found = Files.readAttributes(at, PosixFileAttributes.class, ITSELF);
        if (found.isSymbolicLink() || !found.isOther() && found.permissions().stream().anyMatch(OTHERS::contains)) {
            return false;
        }
        int owner = (Integer) Files.getAttribute(at, "unix:uid", ITSELF);
        return owner == 0 || isUser(owner, found.owner().getName());
    }

    private static boolean isUser(int owner, String name) throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return name.equals(System.getProperty("user.name")); // macOS
        }
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("Uid:")) {
                String[] words = line.split("\\s+"); // of the real user, of the effective one
                return words[1].equals(Integer.toString(owner)) || words[2].equals(Integer.toString(owner));
            }
        }
        return false;
    }
}
