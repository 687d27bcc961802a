package aidb.bridge;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who is at the other end of a connection on this machine, as the system's table of connections has it. */
final class Peer {
    private static final String ESTABLISHED = "01";
    private static final String NOT_TAKEN = "0"; // the inode of a connection that nobody has accepted yet, or that is closed
    private static final String SYSTEM = "0";
    private static final int LOOKS = 3; // a table that changes while it is read may lack a row
    private static final int END = 13; // characters of an address's last word and the port

    private Peer() {}

    /**
     * Says that who has called belongs to our user, or to the system's: not who has gone already, of whom
     * the table no longer tells whose it was. A system without such a table does not tell: then it is
     * believed.
     */
    static boolean own(Socket caller) {
        String ours = written(caller.getLocalAddress(), caller.getLocalPort());
        String theirs = written(caller.getInetAddress(), caller.getPort());
        for (int look = 0; look < LOOKS; look++) {
            Optional<List<Row>> table = rows();
            if (table.isEmpty()) {
                return true;
            }
            Set<String> here = users(table.get(), ours, theirs);
            Set<String> there = users(table.get(), theirs, ours);
            if (!here.isEmpty() && !there.isEmpty()) {
                here.add(SYSTEM);
                return here.containsAll(there);
            }
        }
        return false;
    }

    /** The process that has called, 0 where that is not known. */
    static long process(Socket caller) {
        String ours = written(caller.getLocalAddress(), caller.getLocalPort());
        String theirs = written(caller.getInetAddress(), caller.getPort());
        for (Row row : rows().orElse(List.of())) {
            if (row.local().equals(theirs) && row.remote().equals(ours) && !row.inode().equals(NOT_TAKEN)) {
                String socket = "socket:[" + row.inode() + "]";
                return ProcessHandle.allProcesses().filter(p -> holds(p.pid(), socket)).mapToLong(ProcessHandle::pid).findFirst().orElse(0);
            }
        }
        return 0;
    }

    private static boolean holds(long pid, String socket) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc", String.valueOf(pid), "fd"))) {
            for (Path file : open) {
                if (isLinkTo(file, socket)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return false; // it has ended, or is another user's
        }
        return false;
    }

    private static boolean isLinkTo(Path file, String target) {
        try {
            return Files.readSymbolicLink(file).toString().equals(target);
        } catch (IOException e) {
            return false; // it was closed meanwhile
        }
    }

    /** Whose the connections from one end to another are that somebody has taken. */
    private static Set<String> users(List<Row> table, String from, String to) {
        Set<String> users = new HashSet<>();
        for (Row row : table) {
            if (row.local().equals(from) && row.remote().equals(to) && !row.inode().equals(NOT_TAKEN)) {
                users.add(row.uid());
            }
        }
        return users;
    }

    private record Row(String local, String remote, String uid, String inode) {}

    /** The connections that stand, nothing where the system does not tell of them. */
    private static Optional<List<Row>> rows() {
        List<Row> rows = new ArrayList<>();
        boolean told = false;
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            try {
                for (String line : Files.readAllLines(Path.of(table))) {
                    String[] f = line.trim().split("\\s+");
                    if (f.length > 9 && f[3].equals(ESTABLISHED)) {
                        rows.add(new Row(end(f[1]), end(f[2]), f[7], f[9]));
                    }
                }
                told = true;
            } catch (IOException e) {
                // there is no such table here
            }
        }
        return told ? Optional.of(rows) : Optional.empty();
    }

    /**
     * An end of a connection as the table has it: the address's last word in the machine's byte order, for one
     * to 127.0.0.1 can be made with a socket of either family, and the port.
     */
    private static String written(InetAddress address, int port) {
        byte[] bytes = address.getAddress();
        return String.format("%08X:%04X", ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(bytes.length - Integer.BYTES), port);
    }

    private static String end(String address) {
        return address.substring(Math.max(0, address.length() - END));
    }
}
