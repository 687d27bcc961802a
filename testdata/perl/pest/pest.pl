# See testdata/go/pest: surrounds itself with processes, ignores signals, stays.
use strict;
use warnings;
use Time::HiRes qw(sleep);
$| = 1;

$SIG{$_} = 'IGNORE' for qw(TERM INT HUP);
my ($mode, @rest) = @ARGV;
system('sh', 'pest.sh', @rest);
print "ready\n";
my $ticks = 0;
while ($mode ne 'exit' || $ticks < 3) {
    $ticks++; #@mark stop
    sleep 0.01;
}
