require "roman"
