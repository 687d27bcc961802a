# frozen_string_literal: true

# Says what a Ruby is, where its debugger lies, and whether it can read a program. It runs
# before anything is started, and loads neither.

require 'json'
require 'rbconfig'

said = { version: RUBY_VERSION, engine: RUBY_ENGINE, load_path: [] }
oldest = Gem::Version.new('1.4.0')

found = Gem::Specification.select { |spec| spec.name == 'debug' && spec.version >= oldest }.max_by(&:version)
if found
  said[:debug] = File.join(found.full_gem_path, 'lib', 'debug', 'session.rb')
  said[:gem] = found.version.to_s
  said[:load_path] = [File.join(found.full_gem_path, 'lib'), found.extension_dir].select { |dir| File.directory?(dir) }
end

# What bundle exec would do, where the project has settled which gems it runs with.
if ARGV[1] && !ARGV[1].empty?
  begin
    ENV['BUNDLE_GEMFILE'] = ARGV[1]
    require 'bundler'
    Bundler.setup
    said[:bundled] = true
  rescue LoadError, StandardError => e
    said[:unbundled] = "#{e.class}: #{e.message.lines.first.to_s.strip}"
  end
end

if ARGV[0] && !ARGV[0].empty? && File.file?(ARGV[0])
  begin
    $stderr = File.open(File::NULL, 'w')
    RubyVM::InstructionSequence.compile_file(ARGV[0])
  rescue SyntaxError => e
    said[:syntax] = e.message
  end
end

$stdout.puts "\naidb:#{JSON.generate(said)}"
