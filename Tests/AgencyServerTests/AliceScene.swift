import AgencyServer
import DIDComm
import TestSupport

/// An agency with a user, Alice, who has an account and a mailbox.
struct AliceScene {
  let folder: TemporaryFolder
  let server: AgencyServer
  let alice: Client
  let agent: Party
  let mailbox: Client.Mailbox

  init() throws {
    folder = try TemporaryFolder()
    server = try AgencyServer(dataFolder: folder.path)
    alice = Client(server)
    agent = try alice.provision()
    mailbox = try alice.createMailbox(agent)
  }
}

/// A suite of tests about Alice and her agency.
protocol AliceSuite {
  var scene: AliceScene { get }
}

extension AliceSuite {
  var server: AgencyServer { scene.server }
  var alice: Client { scene.alice }
  var agent: Party { scene.agent }
  var mailbox: Client.Mailbox { scene.mailbox }
}
