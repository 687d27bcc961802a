# frozen_string_literal: true

module AidbRecorder
  # Notes values of a line together with those of its callers: Ruby gives the variables of a frame
  # to what it calls, so each call of the user's code is looked at as it begins.
  class Framed
    def initialize(recorder, hits)
      @hits = hits
      @stacks = Stacks.new(recorder, self, binds: true)
      hits.callers = self
    end

    def compiled(path, codes)
      @stacks.compiled(path, codes)
    end

    def entered(_frame, _tp, _state, _below); end

    def left(_frame, _outcome, _state, _tp); end

    def reached(frame, tp, state)
      frame.binding ||= tp.binding
      probes = @hits.at(frame.path, tp.lineno) or return
      @state = state
      @hits.reached(tp, frame.path, probes)
    end

    # The variables of a caller, 1 that of the function itself; nil where it is none of the user's,
    # or there is none.
    def binding(above)
      own = @state.stack.size - 1
      at = own
      above.times do
        at -= 1
        return nil if at.negative?
      end
      @state.stack[at].binding
    end
  end
end
