# frozen_string_literal: true

module AidbRecorder
  # Notes what ends the run, a thread of it or a test: an exception that nobody caught, an
  # expectation that was not met, a call that exits.
  class Failures
    MOST = 20 # frames of a stack

    def initialize(recorder)
      @recorder, @notes, @program = recorder, recorder.notes, recorder.program
      @known, @watched = {}, {}
    end

    # A file of a framework was compiled: what it tells failures by is watched once it is there.
    def compiled(path, codes)
      FRAMEWORKS.each do |ending, (type, method, reader)|
        next unless path.end_with?(ending)

        TracePoint.new(:end) { @recorder.apart { watch(type, method, reader) } }.enable(target: codes.first.iseq)
      end
    end

    FRAMEWORKS = {
      "/minitest/test.rb" => ["Minitest::Test", :capture_exceptions, :minitest],
      "/rspec/core/example.rb" => ["RSpec::Core::Example", :set_exception, :rspec],
      "/test/unit/testcase.rb" => ["Test::Unit::TestCase", :run, nil],
      "/test/unit/error.rb" => ["Test::Unit::ErrorHandler", :add_error, :test_unit_error],
      "/test/unit/failure.rb" => ["Test::Unit::FailureHandler", :handle_assertion_failed_error, :test_unit_failure]
    }.freeze

    # Of these a test begins with run.
    BEGINNINGS = { "Minitest::Test" => :minitest_name, "RSpec::Core::Example" => :rspec_name, "Test::Unit::TestCase" => :test_unit_name }.freeze

    # The program ends, by what Ruby knows as its error.
    def ended(error)
      case error
      when nil then nil
      when SystemExit then exited(error)
      else note("uncaught", error)
      end
    end

    private

    def watch(type, method, reader)
      return if @watched[type] || !Object.const_defined?(type)

      kind = Object.const_get(type)
      return unless kind.method_defined?(method) || kind.private_method_defined?(method)

      @watched[type] = true
      if (run = BEGINNINGS[type])
        TracePoint.new(:call) { |tp| @recorder.apart { began(send(run, tp)) } }.enable(target: kind.instance_method(:run))
      end
      return unless reader

      event = reader == :minitest ? :return : :call
      TracePoint.new(event) { |tp| @recorder.apart { send(reader, tp) } }.enable(target: kind.instance_method(method))
    end

    # A test begins, with what is made ready for it.
    def began(test)
      @notes.write({ k: "test", at: "", q: test }) if @recorder.thins?
    end

    def minitest_name(tp)
      "#{Core.name(Core.type(tp.self))}##{Core.ivar(tp.self, :@NAME)}"
    end

    def rspec_name(tp)
      metadata = Core.ivar(tp.self, :@metadata)
      metadata ? metadata[:full_description].to_s : ""
    end

    def test_unit_name(tp)
      "#{Core.name(Core.type(tp.self))}##{Core.ivar(tp.self, :@method_name)}"
    end

    def minitest(tp)
      test = minitest_name(tp)
      Core.ivar(tp.self, :@failures).to_a.each do |failure|
        inner = failure.respond_to?(:error) ? failure.error : failure
        next if inner.class.name == "Minitest::Skip"

        note("uncaught", inner, test)
      end
    end

    def rspec(tp)
      error = tp.binding.local_variable_get(:exception)
      note("uncaught", error, rspec_name(tp)) if Exception === error
    end

    def test_unit_error(tp)
      error = tp.binding.local_variables.map { |x| tp.binding.local_variable_get(x) }.find { |x| Exception === x }
      note("uncaught", error, test_unit_name(tp)) if error
    end

    # The framework asks this of each exception: of most it is none of its own.
    def test_unit_failure(tp)
      error = tp.binding.local_variable_get(:exception)
      return unless ::Test::Unit::AssertionFailedError === error

      note("uncaught", error, test_unit_name(tp))
    end

    def exited(error)
      locations = Core::ERROR_TRACE.bind_call(error) || []
      write("exited", locations, { v: error.status.to_s }) if locations.any? { |l| users?(l) }
    end

    # A failure by an exception, once for each test.
    def note(kind, error, test = "")
      return if @known[[Core.id(error), test]]

      @known[[Core.id(error), test]] = true
      write(kind, Core::ERROR_TRACE.bind_call(error) || [], @notes.failed(error), test)
    end

    def users?(location)
      @program.users?(@program.absolute(location.path))
    end

    def write(kind, locations, value, test = "")
      locations = locations.each_with_index.map { |l, i| @program.first_of([l, locations[i + 1]].compact) }.uniq # methods in C have none
      at = locations.index { |l| users?(l) } || 0
      event = { k: "failed", at: "", m: kind, v: [value] }
      if locations[at]
        event[:at], event[:f] = place(locations[at]), function(locations[at])
        event[:s] = callers(locations[at + 1..]).map { |l| "#{function(l)} #{place(l)}" }
      end
      thread = @recorder.fibers.current.thread
      event[:t] = thread unless thread.empty?
      event[:q] = test unless test.empty?
      @recorder.tell_all
      @notes.write(event)
    end

    # The nearest frames, and the nearest of the user's beyond them, which a framework may have called.
    def callers(locations)
      locations.first(MOST) + locations.drop(MOST).select { |l| users?(l) }.first(MOST)
    end

    def place(location)
      "#{@program.absolute(location.path)}:#{location.lineno}"
    end

    def function(location)
      @program.known(location)
    end
  end
end
