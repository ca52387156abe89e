import HTTPTypes
import Interception
import Testing

@testable import Uploads

@Suite("A response to an upload")
struct UploadReplyTests {
  private static let now = WallTime(secondsSince1970: 1_000_000_000)

  private func reply(
    _ fields: HTTPFields, by resumption: UploadProtocol, problem: String = "", code: Int = 200
  ) -> UploadReply {
    UploadReply(
      HTTPResponse(status: .init(code: code), headerFields: fields), problemText: problem, by: resumption,
      now: Self.now)
  }

  @Test(
    "A number has digits only",
    arguments: [
      ("70", .value(70)), (" 0\t", .value(0)), ("999999999999999999", .value(999_999_999_999_999_999)),
      ("", .invalid), ("-1", .invalid), ("+1", .invalid), ("1.0", .invalid), ("1 2", .invalid),
      ("1234567890123456789", .invalid), ("٣", .invalid), (nil, .missing),
    ] as [(String?, UploadReply.Number)])
  func numbers(text: String?, number: UploadReply.Number) {
    #expect(UploadReply.Number(text) == number)
  }

  @Test("The draft's items may have parameters, and tus has neither these nor Upload-Complete")
  func items() {
    var fields = HTTPFields()
    fields[upload: .offset] = "7;a=1"
    fields[upload: .isComplete] = "?1;b"
    let draft = reply(fields, by: .httpDraft)
    #expect(draft.offset == .value(7) && draft.isComplete == true)
    let tus = reply(fields, by: .tus())
    #expect(tus.offset == .invalid && tus.isComplete == nil)
    fields[upload: .isComplete] = "true"
    #expect(reply(fields, by: .httpDraft).isComplete == nil)
  }

  @Test("An expiry of tus is converted to the device's clock by the response's date")
  func expiry() {
    var fields: HTTPFields = [.date: "Sun, 06 Nov 1994 08:49:37 GMT"]
    fields[upload: .expires] = "Sun, 06 Nov 1994 09:49:37 GMT"
    #expect(reply(fields, by: .tus()).expires?.seconds == 1_000_003_600)
    fields[.date] = nil
    #expect(reply(fields, by: .tus()).expires?.seconds == 784_115_377)
    fields[upload: .expires] = "tomorrow"
    #expect(reply(fields, by: .tus()).expires == nil)
  }

  @Test(
    "The same value twice is one, and different ones are a fault that names the field", arguments: ["5", "6"])
  func repeated(second: String) {
    var fields = HTTPFields()
    for value in ["5", second, second] {
      fields.append(HTTPField(name: .init("Upload-Offset")!, value: value))
      fields.append(HTTPField(name: .init("Tus-Resumable")!, value: "1.0.0"))
    }
    let reply = reply(fields, by: .tus())
    #expect(reply.speaksTus)
    #expect(reply.offset == (second == "5" ? .value(5) : .missing))
    #expect(
      reply.repetition?.clause == (second == "5" ? nil : "2 different values of Upload-Offset (\"5\", \"6\")")
    )
  }

  @Test("The draft's age limit is an expiry")
  func age() {
    var fields = HTTPFields()
    fields[upload: .limit] = "max-size=5, max-age=60"
    let reply = reply(fields, by: .httpDraft)
    #expect(reply.expires?.seconds == 1_000_000_060 && reply.limits.maximumSize == 5)
  }

  @Test(
    "Unknown limits are ignored, and a known one of another type voids the field",
    arguments: [
      ("max-append-size=7", 7), ("x=1, max-append-size=7;p=2", 7), ("x=\"a,b\\\",c\",max-append-size=7", 7),
      ("x, max-append-size = 7", 7), ("max-append-size=7, max-size=?1", nil), ("max-append-size", nil),
      ("max-append-size=7, max-append-size=9", 9), ("", nil), ("\"max-append-size=7", nil),
    ] as [(String, Int64?)])
  func limits(text: String, maximumAppend: Int64?) {
    #expect(UploadLimits(text).maximumAppend == maximumAppend)
  }

  @Test("A problem is recognized by its type")
  func problems() {
    let text = "{\"type\":\"https:\\/\\/iana.org\\/assignments\\/http-problem-types#completed-upload\"}"
    #expect(reply([:], by: .httpDraft, problem: text).problem == .completed)
    #expect(reply([:], by: .tus(), problem: text).problem == nil)
    let document: HTTPFields = [.contentType: "application/problem+json; charset=utf-8"]
    #expect(UploadReply.hasProblem(HTTPResponse(status: .badRequest, headerFields: document)))
    #expect(!UploadReply.hasProblem(HTTPResponse(status: .ok, headerFields: document)))
    #expect(!UploadReply.hasProblem(HTTPResponse(status: .badRequest)))
  }
}
