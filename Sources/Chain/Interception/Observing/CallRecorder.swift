package import HTTPTypes

/// An observer that records calls, each with a recorder of its own.
///
/// A pipeline asks it for a recorder when a call starts, and sends the call's events there instead of to
/// ``PipelineObserver/observe(_:)``. So nothing must be looked up by the request's ID, which several calls of
/// one request share. An observer that is also an interceptor finds the recorder by
/// ``Dispatcher/callRecorders``.
package protocol CallObserver: AnyObject, SelectiveObserver {
  /// Returns the recorder of a call that starts now; nil if the call isn't recorded.
  func recorder(of request: Request, at time: Duration, by clock: TimeSource) -> (any CallRecorder)?

  /// Receives the circuit breakers of a pipeline that was created with the observer; ignores them by default.
  ///
  /// It must not retain them, because an interceptor may refer to the pipeline, which retains the observer.
  func note(_ circuits: [any CircuitReporter])
}

extension CallObserver {
  package func note(_ circuits: [any CircuitReporter]) {}
}

/// Receives the events of one call.
///
/// It must not keep a response's stream, because a stream that is released cancels its transfer.
package protocol CallRecorder: AnyObject, Sendable {
  /// Whether the events of the steps are recorded.
  var recordsSteps: Bool { get }
  /// Whether the messages are recorded, and not only how the call ended; true by default.
  var recordsMessages: Bool { get }
  /// The maximum number of bytes that are sampled of a streamed body.
  var sampleLimit: Int { get }
  /// Records an event, synchronously while the call is processed; `time` is that of the pipeline's clock.
  ///
  /// A recorder without messages receives ``CallEvent/delivered(_:stream:)`` or ``CallEvent/refused(_:)``.
  func record(_ event: CallEvent, at time: Duration)
}

extension CallRecorder {
  package var recordsMessages: Bool { true }
}

/// A recorder that only records how its call ended.
package protocol CallEndRecorder: CallRecorder {}

extension CallEndRecorder {
  package var recordsSteps: Bool { false }
  package var recordsMessages: Bool { false }
  package var sampleLimit: Int { 0 }
}

extension Dispatcher {
  /// The recorders of the call of which this is the remaining chain; empty outside of a pipeline.
  package var callRecorders: [any CallRecorder] { (self as? Next)?.call.observation?.recorders ?? [] }
}

/// What happens to a call, with its messages.
///
/// A call's exchanges with the dispatcher are numbered from 0 in the order in which they start, and so are
/// the frames of its steps. Streams and their reports end later than the call, as does a transfer that
/// other calls share.
package enum CallEvent: Sendable {
  /// A step started, within the step of frame `parent`.
  case entered(PipelineEvent.Step, frame: Int, parent: Int?, attempt: Int)
  /// A step ended.
  case left(frame: Int, own: Duration, total: Duration, StepEnd)
  /// The dispatcher received the request.
  case sent(Request, exchange: Int)
  /// The dispatcher returned a response.
  case received(Response, exchange: Int)
  /// The dispatcher failed.
  case failed(NetworkError, exchange: Int)
  /// The stream of an exchange's response ended, or that of the delivered response if `exchange` is nil.
  case streamed(StreamSample, exchange: Int?)
  /// The transport reported on a streamed response.
  case transported(TransportReport, exchange: Int)
  /// The caller received a response, whose stream is that of the exchange `stream` if it is not nil.
  case delivered(Response, stream: Int?)
  /// The caller received an error.
  case refused(NetworkError)

  /// How a step ended.
  package enum StepEnd: Sendable {
    case answered(HTTPResponse.Status, Exchange.CacheStatus?)
    case failed(NetworkError)
  }

  /// What was read of a stream.
  package struct StreamSample: Sendable {
    /// The number of bytes that were read.
    package let count: Int64
    /// The first bytes.
    package let bytes: [UInt8]
    package let ending: SampledByteSource.Ending
  }
}

/// An interceptor that refuses requests for a while after failures, by a circuit breaker for each origin or
/// address.
///
/// A pipeline passes those among its interceptors to its observers that record calls.
package protocol CircuitReporter: AnyObject, Sendable {
  /// Whether each origin has a circuit, so that one that isn't listed is closed, without a failure.
  var watchesOrigins: Bool { get }
  /// The circuits of which something is known, sorted by name.
  var circuits: [CircuitStatus] { get }
}

/// The state of a circuit breaker.
package struct CircuitStatus: Sendable, Hashable {
  /// Whether requests are sent.
  package enum State: Sendable, Hashable {
    case closed
    /// Requests are refused for this time.
    case open(for: Duration)
    /// The next request is tried, or is in flight, and decides.
    case halfOpen
  }

  /// The origin, or the host and its address.
  package let name: String
  package let state: State
  /// The number of failures in a row; nil if it isn't counted in this state.
  package let failures: Int?

  package init(name: String, state: State, failures: Int?) {
    (self.name, self.state, self.failures) = (name, state, failures)
  }
}
