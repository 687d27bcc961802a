# Tour goes through what a debugger is asked for; its first argument names the
# part. The same program stands in testdata for every language.
use strict;
use warnings;
$| = 1;

our $counter = 10;

my $part = $ARGV[0] // "loop"; #@mark main
my %parts = (
    loop => \&loop, calls => \&calls, values => \&values_part, big => \&big, watch => \&watch,
    throw => \&throw, catch => \&catch, exit3 => \&exit3, streams => \&streams, echo => \&echo,
    spin => \&spin, sleep => \&sleep_part, recursion => \&recursion,
);
$parts{$part}->();

sub loop {
    my @items = (3, 1, 4, 1, 5, 9, 2, 6, 5, 4);
    my $total = 0; #@mark loop-start
    for my $i (0 .. 9) {
        my $item = $items[$i];
        $total += $item; #@mark sum
    }
    print "total $total\n"; #@mark loop-end
}

sub twice {
    my ($n) = @_;
    my $result = $n * 2; #@mark twice
    return $result; #@mark twice-return
}

sub combine {
    my ($a1, $b1) = @_;
    my $both = $a1 + $b1; #@mark combine
    return $both; #@mark combine-return
}

sub calls {
    my $count = 6; #@mark calls-start
    my $first = twice($count); #@mark call
    my $second = combine(twice($first), $count); #@mark nested
    $count = $count + $second; #@mark after
    print "calls $count $first\n"; #@mark calls-end
}

sub values_part {
    my $yes = 1;
    my $whole = 42;
    my $huge = 9007199254740993;
    my $ratio = 1.5;
    my $name = "grüße 🙂";
    my $lines = "one\n\"two\"";
    my @list = (10, 20, 30);
    my %ages = (one => 1, two => 2);
    my $ada = {name => "Ada", age => 36, address => {city => "Paris", tags => ["x", "y"]}};
    my $nothing = undef;
    print "values $yes $whole $huge $ratio $name $lines @list\n"; #@mark values-end
}

sub big {
    my @million = (0 .. 999_999);
    my $text = "0123456789" x 100_000;
    my $deep;
    $deep = {depth => $_, next => $deep} for reverse 1 .. 50;
    print "big ", scalar(@million), " ", length($text), " $deep->{depth}\n"; #@mark big-end
}

sub bump {
    $counter++; #@mark write
    print "bumped\n"; #@mark written
    print "for sure\n"; #@mark written-after
}

sub watch {
    print "watch $counter\n"; #@mark watch-start
    bump();
    print "counter $counter\n"; #@mark watch-end
}

sub fail {
    my ($code) = @_;
    die "tour failed: $code\n"; #@mark throw
}

sub throw {
    print "before\n";
    fail(7); #@mark throw-call
}

sub catch {
    eval { fail(8) };
    print "caught $@"; #@mark caught
}

sub exit3 {
    print "last words\n";
    print STDERR "last complaint\n";
    exit 3; #@mark exit
}

sub streams {
    for my $i (1 .. 3) {
        print "out $i\n";
        print STDERR "err $i\n"; #@mark stream
    }
    print "no newline at the end";
}

sub echo {
    my $n = 0;
    while (my $line = <STDIN>) {
        chomp $line;
        $n++;
        print "$n: $line\n"; #@mark line
    }
    print "end after $n lines\n";
}

sub spin {
    print "spinning\n";
    my $limit = -1;
    for (my $n = 0; $limit < 0 || $n < $limit; $n++) {
        my $double = $n * 2; #@mark spin
    }
    print "spun\n";
}

sub tick {
    my ($n) = @_;
    print "tick $n\n"; #@mark tick
}

sub sleep_part {
    for my $n (0 .. 2399) {
        tick($n);
        select(undef, undef, undef, 0.05);
    }
}

sub dive {
    my ($depth) = @_;
    no warnings 'recursion';
    if ($depth == 0) {
        return 0; #@mark bottom
    }
    return dive($depth - 1) + 1;
}

sub recursion {
    print "depth ", dive(500), "\n";
}
