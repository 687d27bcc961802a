"""The functions of the C library by which each process is started, one for each: system and popen call
posix_spawn. The debuggers count them: nobody follows what is started so."""

WAYS = ("fork", "vfork", "posix_spawn", "posix_spawnp")

# So many are counted (adapters.MostForks): a build starts thousands, and to count one costs milliseconds.
MOST = 50
