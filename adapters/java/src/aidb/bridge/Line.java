package aidb.bridge;

import com.sun.jdi.connect.spi.ClosedConnectionException;
import com.sun.jdi.connect.spi.Connection;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The line to a program that has called: packets of the debug wire protocol over a socket of ours. */
final class Line extends Connection {
    private static final byte[] HANDSHAKE = "JDWP-Handshake".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = 11; // bytes of the shortest packet

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    /**
     * Shakes hands and waits for the first packet, for the debugger's library hears one program after the
     * other: who does not answer as a virtual machine does is none.
     */
    Line(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = socket.getOutputStream();
        out.write(HANDSHAKE);
        if (!Arrays.equals(in.readNBytes(HANDSHAKE.length), HANDSHAKE)) {
            throw new IOException("who has connected is no Java virtual machine");
        }
        in.mark(1);
        in.readByte();
        in.reset();
    }

    /** The next packet with its header, empty at the end. */
    @Override
    public byte[] readPacket() throws IOException {
        synchronized (in) {
            try {
                int length = in.readInt();
                if (length < HEADER) {
                    throw new IOException("a packet of " + length + " bytes");
                }
                byte[] packet = new byte[length];
                ByteBuffer.wrap(packet).putInt(length);
                in.readFully(packet, Integer.BYTES, length - Integer.BYTES);
                return packet;
            } catch (EOFException e) {
                return new byte[0];
            } catch (IOException e) {
                throw isOpen() ? e : closed();
            }
        }
    }

    @Override
    public void writePacket(byte[] packet) throws IOException {
        synchronized (out) {
            try {
                out.write(packet);
            } catch (IOException e) {
                throw isOpen() ? e : closed();
            }
        }
    }

    private static IOException closed() {
        return new ClosedConnectionException("the connection was closed");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    @Override
    public boolean isOpen() {
        return !socket.isClosed();
    }
}
