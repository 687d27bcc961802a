# Says how long a name is.
require_relative "lib/length"

use Rack::ContentType, "text/plain"
run Length.new
