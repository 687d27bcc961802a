# frozen_string_literal: true

# Runs in the program, before its own code: it loads rdbg, puts our server of DAP in place of
# rdbg's, connects it to the socket in the session's directory, and waits until the debugger
# is configured. What rdbg knows of stopping threads and reading frames stays rdbg's.
#
# The settings of the session lie beside this file. Nothing of them is left in the program's
# environment, so that no other Ruby which the program starts waits for a debugger.

module AIDB
  OWN = __dir__.freeze

  class << self
    attr_accessor :settings, :globals # globals are the names of those that are there without the program
  end

  self.globals = global_variables
end

require 'json'

AIDB.settings = JSON.parse(File.read(File.join(AIDB::OWN, 'settings.json')))

AIDB.settings['load_path'].each { |dir| $LOAD_PATH.push(dir) unless $LOAD_PATH.include?(dir) }
AIDB.globals |= global_variables

# rdbg reads these when it is loaded.
{ 'RUBY_DEBUG_LOG_LEVEL' => 'FATAL', 'RUBY_DEBUG_NO_SIGINT_HOOK' => 'true', 'RUBY_DEBUG_NO_COLOR' => 'true', 'RUBY_DEBUG_NO_RELINE' => 'true',
  'RUBY_DEBUG_NO_RC' => 'true', 'RUBY_DEBUG_FORK_MODE' => 'parent' }.then do |set|
  before = set.to_h { |name, _| [name, ENV[name]] }
  set.each { |name, value| ENV[name] = value }
  require AIDB.settings['debug']
  require "#{File.dirname(AIDB.settings['debug'])}/server"
  require "#{File.dirname(AIDB.settings['debug'])}/server_dap"
  before.each { |name, value| ENV[name] = value }
end

%w[values frames peeking patching points raising stepping server tests].each { |name| require "#{AIDB::OWN}/#{name}" }

AIDB.globals |= global_variables
AIDB.begin
