import HTTPTypes
import Interception

@testable import Uploads

/// A plan and the position that its test pretends to have sent.
struct UploadTrial {
  var plan: UploadPlan
  var sent = UploadPlan.Sent()

  init(
    _ resumption: UploadProtocol, length: Int64 = 100, requestLimit: Int64? = nil, isResumed: Bool = false,
    expires: WallTime? = nil
  ) {
    plan = UploadPlan(
      resumption, length: length, requestLimit: requestLimit,
      target: isResumed ? UploadTarget("https://a.example/files/1") : nil, expires: expires)
  }

  /// Describes the next step in a few words.
  mutating func next(at time: WallTime = UploadPlanTests.now) -> String {
    do throws(NetworkError) {
      switch try plan.step(now: time) {
      case .discover: return "discover"
      case .create: return "create"
      case .locate: return "locate"
      case .append(let range, let isLast):
        return "append \(range)\(isLast ? " last" : "")"
      }
    } catch {
      return "\(fault(of: error))"
    }
  }

  /// Gives the response to the next step, and describes the verdict in a few words.
  mutating func answer(
    _ code: Int, _ fields: [UploadField: String] = [:], other: HTTPFields = [:], problem: String = ""
  )
    -> String
  {
    var all = other
    for (field, value) in fields { all[upload: field] = value }
    let head = HTTPResponse(status: .init(code: code), headerFields: all)
    let reply = UploadReply(head, problemText: problem, by: plan.resumption, now: UploadPlanTests.now)
    guard let step = try? plan.step(now: UploadPlanTests.now) else { return "no step" }
    if case .append(let range, _) = step { send(upTo: range.upperBound) }
    switch plan.take(reply, to: step, at: UploadPlanTests.base, sent: sent) {
    case .proceed: return "proceed"
    case .created:
      sent = UploadPlan.Sent()
      return "created"
    case .finished: return "finished"
    case .failed(let error): return "failed \(fault(of: error))"
    case .refused(let error): return "refused \(fault(of: error))"
    case .rejected(let error): return "rejected \(fault(of: error))"
    }
  }

  /// Records that the next step had no response, after a part of its content was sent.
  mutating func lose(sent position: Int64? = nil, mayHaveArrived: Bool = true) {
    guard let step = try? plan.step(now: UploadPlanTests.now) else { return }
    if case .append(let range, _) = step { send(upTo: position ?? range.upperBound) }
    plan.lose(step, sent: sent, mayHaveArrived: mayHaveArrived)
  }

  private mutating func send(upTo position: Int64) {
    sent = UploadPlan.Sent(farthest: max(sent.farthest, position), latest: position)
  }

  private func fault(of error: NetworkError) -> String {
    switch error.underlying(as: UploadFault.self) {
    case .status(let head): "\(head.status.code)"
    case let fault?: "\(fault)"
    case nil: error.label
    }
  }
}
