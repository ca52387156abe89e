import HTTPTypes
import Interception
import MetricsTestKit
import Testing
import Tracing

@testable import RequestTelemetry

@Suite struct DestinationTests {
  private func head(
    _ authority: String = "a.test", _ method: HTTPRequest.Method = .get, scheme: String = "https"
  ) -> HTTPRequest {
    HTTPRequest(method: method, scheme: scheme, authority: authority, path: "/")
  }

  private func destination(_ authority: String = "a.test") -> Destination {
    Destination(Destination.Key(head(authority), APIIdentity(service: "s", name: "a")))
  }

  @Test("Requests that differ in method, scheme, authority or API have destinations of their own")
  func keys() {
    var table = DestinationTable()
    let requests: [(head: HTTPRequest, api: APIIdentity?)] = [
      (head(), nil), (head("b.test"), nil), (head("a.test", .post), nil), (head(scheme: "http"), nil),
      (head(), APIIdentity(service: "s", name: "a")), (head(), APIIdentity(service: "t", name: "a")),
      (head(), APIIdentity(service: "s", name: "b")),
    ]
    let first = requests.map { table.destination(of: $0.head, $0.api) }
    let second = requests.reversed().map { table.destination(of: $0.head, $0.api) }
    #expect(Set(first.map { ObjectIdentifier($0) }).count == requests.count)
    #expect(zip(first, second.reversed()).allSatisfy { $0 === $1 })
    #expect(first.map(\.key) == requests.map { Destination.Key($0.head, $0.api) })
    for (one, request) in zip(first, requests) {
      #expect(first.filter { $0.matches(request.head, request.api) }.map(\.key) == [one.key])
    }
  }

  @Test("The number of destinations is bounded, and one that was dropped is determined anew")
  func bounded() {
    var table = DestinationTable()
    let first = table.destination(of: head(), nil)
    for number in 0..<(2 * DestinationTable.limit) {
      _ = table.destination(of: head("\(number).test"), nil)
      #expect(table.count <= DestinationTable.limit)
    }
    #expect(table.destination(of: head(), nil).origin == first.origin)
  }

  @Test("The attributes of an answer are those of its status and transport, whatever came before")
  func answers() {
    let destination = destination("[::1]:8443")
    let reports: [TransportReport?] =
      [nil, TransportReport(version: .http2)]
      + (1...6).map { TransportReport(remoteAddress: "127.0.0.\($0):8443", version: .http1) }
    for _ in 0..<2 {
      for code in [200, 304, 404, 503] {
        for report in reports {
          let status = HTTPResponse.Status(code: code)
          let answer = destination.answer(status, report, in: nil).answer
          #expect(answer.status == status)
          #expect(answer.request.values == destination.attributes(of: .answered(status), report).values)
          #expect(answer.request["server.address"] == .string("::1"))
          #expect(answer.request["server.port"] == .int64(8443))
          #expect(answer.request["http.response.status_code"] == .int64(Int64(code)))
          #expect(answer.request["error.type"] == (code < 400 ? nil : .string("\(code)")))
          #expect(
            answer.request["network.peer.address"]
              == report?.remoteAddress.map { .string(String($0.dropLast(5))) })
          #expect(answer.event == AttributeList.event(.answered(status), resendCount: 0).attributes)
          #expect(answer.call == AttributeList.call(of: destination.key.api, .answered(status)).attributes)
        }
      }
    }
  }

  @Test("Its timers are those of the outcome's labels, also after they were kept")
  func timers() {
    let metrics = TestMetrics()
    let series = MetricSeries(metrics)
    let destination = destination()
    let outcomes: [RequestOutcome] = [
      .answered(.ok), .answered(.noContent), .answered(.notModified), .answered(.notFound),
      .failed(NetworkError(.connect, "Refused.")),
    ]
    for _ in 0..<2 {
      for outcome in outcomes {
        if case .answered(let status) = outcome {
          for report in [nil, TransportReport(connectionWasReused: true), TransportReport()] {
            destination.answer(status, report, in: series).answer.measure(.seconds(1), report)
          }
        }
        for source in [ResponseSource.network, .cache, .none] {
          destination.timer(ofCall: source, outcome, in: series).record(.seconds(1))
        }
      }
    }
    #expect(destination.answer(.notFound, nil, in: series).callTimer != nil)
    func counts(_ label: String, _ names: [String]) -> [[String]: Int] {
      metrics.timers(label: label).reduce(into: [:]) { counts, timer in
        let labels = names.map { name in timer.dimensions.first { $0.0 == name }?.1 ?? "" }
        counts[labels, default: 0] += timer.values.count
      }
    }
    let status = "http.response.status_class"
    #expect(
      counts("http.client.request.duration", [status, "error.type"]) == [
        ["2xx", "none"]: 12, ["3xx", "none"]: 6, ["4xx", "404"]: 6,
      ])
    #expect(counts("http.client.request.time_in_queue", ["peer.service"]).values.allSatisfy { $0 == 0 })
    let connections = ["opened", "reused"].map { state in
      metrics.counters.filter { $0.dimensions.contains { $0.1 == state } }.map(\.totalValue)
    }
    #expect(connections == [[8], [8]])
    for source in ["network", "cache", "none"] {
      let all = counts("switchyard.call.duration", ["switchyard.source", status, "error.type"])
      #expect(all[[source, "2xx", "none"]] == 4)
      #expect(all[[source, "4xx", "404"]] == 2)
    }
  }
}
