import HTTPServing
import HTTPTypes
import Testing

@testable import EstateServer

@Suite struct ActivityRoutesTests {
  private func batch(_ id: String, _ names: some Sequence<Int>) -> String {
    let events = names.map { #"{"id":"e\#($0)","name":"\#($0)","time":1700000000.250,"attributes":{}}"# }
    let lost = #"{"count":0,"bytes":0,"age":0,"setAside":0}"#
    return #"{"id":"\#(id)","lost":\#(lost),"events":[\#(events.joined(separator: ","))]}"#
  }

  @Test("Events are returned in the order of their batches, with their attributes")
  func order() async throws {
    let caller = try APICaller()
    let first = #"""
      {"id":"1","events":[{"id":"a","name":"opened","time":1700000000.250,
      "attributes":{"route":"HomeRoute","count":3,"price":1.5,"new":true,"none":null}}]}
      """#
    #expect(try await caller.post("/v1/activity", json: first).status == .created)
    #expect(try await caller.post("/v1/activity", json: batch("2", 0..<3)).status == .created)
    let all = try await caller.get("/v1/activity").json
    let events = all["events"].elements
    #expect(all["received"] == 4 && events.map { $0["name"] } == ["opened", "0", "1", "2"])
    #expect(
      events.first?["attributes"] == [
        "route": "HomeRoute", "count": 3, "price": 1.5, "new": .boolean(true), "none": .null,
      ])
    #expect(events.first?["time"] == 1_700_000_000.25)
    let last = try await caller.get("/v1/activity?limit=2").json
    #expect(last["received"] == 4 && last["events"].elements.map { $0["name"] } == ["1", "2"])
  }

  @Test("A batch that comes again is accepted and not added")
  func repeated() async throws {
    let caller = try APICaller()
    var statuses: [HTTPResponse.Status] = []
    var accepted: [JSON] = []
    for id in ["1", "1", "2"] {
      let reply = try await caller.post("/v1/activity", json: batch(id, 0..<3))
      statuses.append(reply.status)
      accepted.append(try reply.json["accepted"])
    }
    #expect(statuses == [.created, .ok, .created] && accepted == [3, 0, 3])
    let all = try await caller.get("/v1/activity").json
    #expect(all["received"] == 6 && all["events"].elements.count == 6)
  }

  @Test("The newest 1,000 events and the identifiers of 1,000 batches are kept")
  func bounded() {
    let activity = ReportedActivity()
    func event(_ number: Int) -> ReportedEvent {
      ReportedEvent(id: "", name: "\(number)", time: 0, attributes: [:])
    }
    for number in 0...ReportedActivity.batchCapacity {
      #expect(activity.add([event(number)], of: "\(number)"))
    }
    #expect(activity.newest(.max).events.map(\.name) == (1...1000).map(String.init))
    #expect(activity.newest(.max).received == 1001)
    #expect(!activity.add([event(0)], of: "1000"))
    #expect(activity.add([event(0)], of: "0"))
    #expect(activity.add((0..<1500).map(event), of: "large"))
    #expect(activity.newest(.max).events.map(\.name) == (500..<1500).map(String.init))
  }

  @Test(
    "A limit that is not 1 to 1,000 is 400", arguments: ["0", "1001", "-1", "x", "", "1e2", "1&limit=2"])
  func limit(text: String) async throws {
    let reply = try await APICaller().get("/v1/activity?limit=\(text)")
    #expect(reply.status == .badRequest && reply.errorCode == "bad_parameter")
  }

  @Test(
    "A batch of another form is 400 and adds nothing",
    arguments: [
      "", "[]", "{}", #"{"id":"1"}"#, #"{"id":"","events":[]}"#, #"{"id":1,"events":[]}"#,
      #"{"id":"1","events":[{"id":"a","name":"b","time":"c","attributes":{}}]}"#,
      #"{"id":"1","events":[{"id":"a","name":"b","time":1,"attributes":{"c":[1]}}]}"#,
      #"{"id":"1","events":[{"id":"a","name":"b","time":1,"attributes":{"c":{"d":1}}}]}"#,
      #"{"id":"\#(String(repeating: "a", count: 201))","events":[]}"#,
      #"{"id":"1","events":[{"id":"a","name":"\#(String(repeating: "b", count: 4096))","time":1,"attributes":{}}]}"#,
    ])
  func badBody(json: String) async throws {
    let caller = try APICaller()
    let reply = try await caller.post("/v1/activity", json: json)
    #expect(reply.status == .badRequest && reply.errorCode == "bad_body")
    #expect(try await caller.get("/v1/activity").json["received"] == 0)
  }

  @Test("A batch beyond the limit of bodies is 413")
  func large() async throws {
    let events = (0..<5000).map { "\($0) with a long name, so that few make a large batch" }
    let names = events.map { #"{"id":"","name":"\#($0)","time":0,"attributes":{}}"# }
    let json = #"{"id":"1","events":[\#(names.joined(separator: ","))]}"#
    #expect(json.utf8.count > BodyLimits.encoded)
    let reply = try await APICaller().post("/v1/activity", json: json)
    #expect(reply.status == .contentTooLarge && reply.errorCode == "body_too_large")
  }

  @Test("Both endpoints need a signature")
  func unsigned() async throws {
    let caller = try APICaller(verifier: nil)
    #expect(try await caller.get("/v1/activity").status == .unauthorized)
    #expect(try await caller.post("/v1/activity", json: batch("1", 0..<1)).status == .unauthorized)
  }
}
