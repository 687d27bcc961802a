# frozen_string_literal: true

module AIDB
  # Patching replaces a method, or opens a class again, in the running program.
  class Patching
    def initialize(arguments, frames)
      @name = arguments['name'].to_s
      @code = arguments['code'].to_s
      @file = arguments['file'].to_s
      @frames = frames
    end

    def run
      check
      owner, word = @name.match?(/[.#]|::/) ? @name.match(/\A(.*?)(?:#|\.|::)([^.#:]+)\z/).captures : [nil, @name]
      place = @file.empty? ? ['(patch)', 1] : [@file, 1]
      AIDB.quietly { owner && bare? ? within(owner).class_eval(@code, *place) : TOPLEVEL_BINDING.eval(@code, *place) }
      { name: @name.empty? ? defined_name : @name, notes: notes(word.to_s.empty? ? defined_name : word) }
    rescue ::SyntaxError => e
      raise Refused, "the code cannot be read: #{Values.message(e).lines.first}"
    rescue ::NameError => e
      raise Refused, "there is no #{e.name} in the program"
    end

    private

    # bare says that the code is a method without its class.
    def bare? = @code.match?(/\A\s*(?:#.*\n\s*)*(?:private\s+|protected\s+|public\s+)?def\b/)

    def defined_name = @code[/\bdef\s+(?:self\.)?([^\s(;=]+)/, 1] || @code[/\b(?:class|module)\s+([\w:]+)/, 1].to_s

    def check
      RubyVM::InstructionSequence.compile(@code)
      raise Refused, 'the code must define one method, class or module, whole' if defined_name.empty?

      wanted = @name[/[^.#:]+\z/].to_s
      raise Refused, "the code defines #{defined_name}, not #{wanted}" if bare? && !wanted.empty? && wanted != defined_name
    end

    def within(owner)
      found = owner.split('::').reject(&:empty?).inject(::Object) { |scope, name| scope.const_get(name) }
      ::Module === found ? found : raise(Refused, "#{owner} is no class or module") # rubocop:disable Style/CaseEquality
    end

    def notes(word)
      active = @frames.count { |frame| frame.binding && frame.location.base_label == word }
      active.zero? ? [] : ["#{active} active #{active == 1 ? 'frame' : 'frames'} of #{word} still run#{active == 1 ? 's' : ''} the old code"]
    end
  end
end
