package bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Who is at the other end of a connection on this machine, as the system's table of connections has it. */
final class Peer {
    private static final String ESTABLISHED = "01";
    private static final String NOT_TAKEN = "0"; // the inode of a connection that nobody has accepted yet

    private Peer() {}

    /**
     * Says that what has connected to a port of ours belongs to our user, or to the system's. A system
     * without such a table does not tell: then it is believed.
     */
    static boolean own(int port) {
        List<Row> rows = rows();
        for (Row ours : rows) {
            if (ours.local() != port || ours.inode().equals(NOT_TAKEN)) {
                continue;
            }
            for (Row theirs : rows) {
                if (theirs.local() == ours.remote() && theirs.remote() == port && !theirs.uid().equals(ours.uid()) && !theirs.uid().equals("0")) {
                    return false;
                }
            }
        }
        return true;
    }

    private record Row(int local, int remote, String uid, String inode) {}

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            try {
                for (String line : Files.readAllLines(Path.of(table))) {
                    String[] f = line.trim().split("\\s+");
                    if (f.length > 9 && f[3].equals(ESTABLISHED)) {
                        rows.add(new Row(port(f[1]), port(f[2]), f[7], f[9]));
                    }
                }
            } catch (IOException e) {
                // there is no such table here
            }
        }
        return rows;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
    }
}
