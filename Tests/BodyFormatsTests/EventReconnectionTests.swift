import HTTPTypes
import Interception
import Testing

@testable import BodyFormats

@Suite("EventReconnection")
struct EventReconnectionTests {
  private func course(_ policy: EventReconnection = EventReconnection()) -> EventCourse {
    EventCourse(policy, lastEventID: "")
  }

  private func decide(
    _ course: inout EventCourse, _ ending: EventCourse.Ending, hasEvents: Bool = false, random: Double = 0
  ) -> EventCourse.Decision {
    course.decide(on: ending, hasEvents: hasEvents, now: .now(), random: random)
  }

  @Test("The wait doubles with each attempt without an event, up to the maximum, and an event resets it")
  func waits() {
    var course = course()
    for seconds in [3, 6, 12, 24, 48, 60, 60] {
      #expect(decide(&course, .end) == .reconnect(after: .seconds(seconds)))
    }
    course.noteEvent()
    #expect(decide(&course, .end, hasEvents: true) == .reconnect(after: .seconds(3)))
    #expect(decide(&course, .end, random: 0.5) == .reconnect(after: .milliseconds(3_750)))
  }

  @Test("The server's times are obeyed, up to the maximum: retry as the shortest wait, and Retry-After")
  func serverTimes() {
    var course = course()
    course.noteStream(lastEventID: "7", retry: .milliseconds(500))
    #expect(course.lastEventID == "7")
    #expect(decide(&course, .end, hasEvents: true) == .reconnect(after: .milliseconds(500)))
    // A stream without a time leaves it as it is.
    course.noteStream(lastEventID: "8", retry: nil)
    #expect(decide(&course, .end, hasEvents: true) == .reconnect(after: .milliseconds(500)))
    let busy = HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "20"])
    #expect(decide(&course, .status(busy)) == .reconnect(after: .seconds(20)))
    let closed = HTTPResponse(status: .tooManyRequests, headerFields: [.retryAfter: "86400"])
    #expect(decide(&course, .status(closed)) == .reconnect(after: .seconds(60)))
    course.noteStream(lastEventID: "9", retry: .seconds(3_600))
    #expect(decide(&course, .end, hasEvents: true) == .reconnect(after: .seconds(60)))
  }

  @Test(
    "After a failure the wait grows from that of the policy, whatever the server requested",
    arguments: [0, 1, 100, 2_999])
  func floorOfFailures(_ milliseconds: Int) {
    var course = course()
    let busy = HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "0"])
    let lost = NetworkError(.transport, "The connection was lost.")
    for ending in [EventCourse.Ending.status(busy), .failure(lost), .end] {
      course.noteStream(lastEventID: "", retry: .milliseconds(milliseconds))
      course.noteEvent()
      let paced = Duration.milliseconds(max(milliseconds, 100))
      #expect(decide(&course, .end, hasEvents: true) == .reconnect(after: paced))
      #expect(decide(&course, .failure(lost), hasEvents: true) == .reconnect(after: paced))
      for seconds in [3, 6, 12, 24, 48, 60, 60] {
        #expect(decide(&course, ending) == .reconnect(after: .seconds(seconds)))
      }
    }
  }

  @Test("A longer retry is kept after a failure, and a huge one is limited", arguments: [(5, 10), (40, 60)])
  func longRetry(_ seconds: Int, _ doubled: Int) throws {
    var course = course()
    course.noteStream(lastEventID: "", retry: .seconds(seconds))
    #expect(decide(&course, .end) == .reconnect(after: .seconds(seconds)))
    #expect(decide(&course, .end) == .reconnect(after: .seconds(doubled)))
    var parser = ServerSentEventParser()
    parser.append(Array("retry: 99999999999999999999999\n".utf8))
    #expect(try parser.next() == nil)
    course.noteStream(lastEventID: "", retry: parser.retry)
    for _ in 1...70 { #expect(decide(&course, .end) == .reconnect(after: .seconds(60))) }
  }

  @Test("Waits of zero and below are raised, so that no policy floods a server")
  func smallestPolicy() {
    for wait in [Duration.zero, .seconds(-5)] {
      var course = course(EventReconnection(wait: wait, maximumWait: wait))
      for _ in 1...3 { #expect(decide(&course, .end) == .reconnect(after: .milliseconds(100))) }
      course.noteStream(lastEventID: "", retry: .zero)
      #expect(decide(&course, .end, hasEvents: true) == .reconnect(after: .milliseconds(100)))
    }
    var short = course(EventReconnection(maximumWait: .seconds(1)))
    #expect(decide(&short, .end) == .reconnect(after: .seconds(1)))
  }

  @Test(
    "A status decides whether another attempt may succeed",
    arguments: [
      (204, EventCourse.Decision.finish), (200, .rethrow), (301, .rethrow), (401, .rethrow), (404, .rethrow),
      (408, .reconnect(after: .seconds(3))), (429, .reconnect(after: .seconds(3))),
      (500, .reconnect(after: .seconds(3))), (503, .reconnect(after: .seconds(3))),
    ])
  func statuses(code: Int, decision: EventCourse.Decision) {
    var course = course()
    #expect(decide(&course, .status(HTTPResponse(status: .init(code: code)))) == decision)
  }

  @Test("Failures of the network lead to another attempt, and all others do not")
  func failures() {
    let transient: [NetworkError.Kind] = [
      .offline, .resolve, .connect, .timeout(.firstByte), .queueFull, .descriptorsExhausted, .transport,
    ]
    let permanent: [NetworkError.Kind] = [
      .cancelled(.task), .tls(.untrusted), .invalidRequest, .bodyTooLarge(limit: 1), .rejected, .unsupported,
      .needsLogin, .protocolViolation,
    ]
    for kind in transient {
      var course = course()
      let decision = decide(&course, .failure(NetworkError(kind, "It failed.")))
      #expect(decision == .reconnect(after: .seconds(3)), "\(kind)")
    }
    for kind in permanent {
      var course = course()
      #expect(decide(&course, .failure(NetworkError(kind, "It failed."))) == .rethrow, "\(kind)")
    }
  }

  @Test("The limit of failures counts those in a row")
  func limit() {
    var course = course(EventReconnection(wait: .seconds(1), failureLimit: 3))
    #expect(decide(&course, .end) == .reconnect(after: .seconds(1)))
    #expect(decide(&course, .end) == .reconnect(after: .seconds(2)))
    course.noteEvent()
    #expect(decide(&course, .end, hasEvents: true) == .reconnect(after: .seconds(1)))
    for seconds in [1, 2] { #expect(decide(&course, .end) == .reconnect(after: .seconds(seconds))) }
    #expect(decide(&course, .end) == .rethrow)
  }
}
